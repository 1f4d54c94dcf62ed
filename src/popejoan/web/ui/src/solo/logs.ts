// The logs of the tables that are played without a network, an entry a row.

const STORE = 'entries';

let opening: Promise<IDBDatabase> | null = null;
function base(): Promise<IDBDatabase> {
  opening ??= new Promise((done, fail) => {
    const request = indexedDB.open('popejoan', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  return opening;
}

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

const rows = async (mode: IDBTransactionMode) => (await base()).transaction(STORE, mode).objectStore(STORE);

export async function keepEntry(code: string, seq: number, entry: string): Promise<void> {
  await asked((await rows('readwrite')).put(entry, [code, seq]));
}

export async function forget(code: string): Promise<void> {
  await asked((await rows('readwrite')).delete(IDBKeyRange.bound([code, 0], [code, Infinity])));
}

/** Every log that is whole from its beginning. */
export async function keptLogs(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const store = await rows('readonly').catch(() => null);
  if (!store) return found;
  const [keys, entries] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
  keys.forEach((key, place) => {
    const [code, seq] = key as [string, number];
    const log = found.get(code) ?? [];
    if (log.length === seq - 1) log.push(entries[place]);
    found.set(code, log);
  });
  return found;
}
