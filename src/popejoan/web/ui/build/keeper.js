// Keeps the page in the browser: it opens without a network, and can be played so once asked for.

const SHELL = __SHELL__;
const REST = __REST__;
const NAME = 'popejoan';
const at = (path) => new URL(path, registration.scope).href;
const known = new Set([...SHELL, ...REST].map(at));

async function keep(paths, told = () => undefined) {
  const cache = await caches.open(NAME);
  let done = 0;
  for (const path of paths) {
    if (path === './' || !(await cache.match(at(path)))) {
      const answer = await fetch(at(path), { cache: path === './' ? 'no-cache' : 'default' });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(at(path), answer);
    }
    told(++done, paths.length);
  }
}

async function forget() {
  const cache = await caches.open(NAME);
  for (const { url } of await cache.keys()) if (!known.has(url)) await cache.delete(url);
  await clients.claim();
}

async function page(request) {
  const cache = await caches.open(NAME);
  const late = new Promise((done) => setTimeout(done, 4000));
  const fresh = fetch(request).then(async (answer) => {
    if (answer.ok) await cache.put(at('./'), answer.clone());
    return answer;
  });
  const first = await Promise.race([fresh, late]).catch(() => undefined);
  return first ?? (await cache.match(at('./'))) ?? fresh;
}

async function asset(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request.url)) ?? fetch(request);
}

addEventListener('install', (event) => {
  event.waitUntil(keep(SHELL).then(() => skipWaiting()));
});
addEventListener('activate', (event) => event.waitUntil(forget()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = request.url.split('#')[0];
  if (request.mode === 'navigate' && url.split('?')[0] === at('./')) event.respondWith(page(request));
  else if (known.has(url)) event.respondWith(asset(request));
});
addEventListener('message', (event) => {
  const port = event.ports[0];
  if (event.data !== 'keep all' || !port) return;
  event.waitUntil(
    keep(REST, (done, all) => port.postMessage({ done, all })).then(
      () => port.postMessage({ kept: true }),
      (error) => port.postMessage({ fault: String(error) }),
    ),
  );
});
