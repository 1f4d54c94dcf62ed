// The server's own application, run by Python in this worker. What it keeps lies in IndexedDB.

import { forget, keepEntry, keptLogs } from './logs';

type Python = {
  unpackArchive(data: Uint8Array, format: string, options: { extractDir: string }): void;
  runPython(code: string): any;
  runPythonAsync(code: string): Promise<any>;
  globals: { get(name: string): any };
};

let solo: any;
let python: Python;
const lines = new Map<number, (text: string | null) => void>();

async function begin(base: string): Promise<void> {
  const archive = fetch(`${base}python.zip`).then((answer) => answer.arrayBuffer());
  const { loadPyodide } = await import(/* @vite-ignore */ `${base}pyodide.mjs`);
  python = await loadPyodide({ indexURL: base });
  python.unpackArchive(new Uint8Array(await archive), 'zip', { extractDir: '/popejoan' });
  python.runPython('import sys; sys.path.insert(0, "/popejoan")');
  await python.runPythonAsync('from popejoan.web.solo import Solo');
  solo = python.globals.get('Solo')((code: string, seq: number, entry: string) => {
    void (seq ? keepEntry(code, seq, entry) : forget(code));
  });
  for (const [code, entries] of await keptLogs()) solo.store.load(code, entries);
  await solo.open();
}

async function answer({ id, kind, ...asked }: any): Promise<void> {
  try {
    if (kind === 'begin') await begin(asked.base);
    else if (kind === 'digest') {
      const digest = python.runPython(
        "__import__('popejoan.advice.signature', fromlist=['digest']).digest()",
      );
      return postMessage({ id, value: digest });
    } else if (kind === 'request') {
      const found = await solo.request(asked.method, asked.path, JSON.stringify(asked.headers), asked.body);
      return postMessage({ id, value: JSON.parse(found) });
    } else if (kind === 'connect') {
      const hear = (what: string, text: string) => postMessage({ line: id, what, text });
      lines.set(id, solo.connect(asked.path, hear));
      return;
    } else if (kind === 'tell') {
      lines.get(id)?.(asked.text);
      if (asked.text === null) lines.delete(id);
      return;
    }
    postMessage({ id, value: null });
  } catch (error) {
    postMessage({ id, fault: String(error) });
  }
}

onmessage = (event) => void answer(event.data);
