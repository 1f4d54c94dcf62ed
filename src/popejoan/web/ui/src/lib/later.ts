// What the entrance does without: fetched once the page is shown, so that it is there when wanted.

/** Do this when the browser has nothing more urgent to do. */
export function whenIdle(what: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(what, { timeout: 3000 });
  else setTimeout(what, 300);
}

/** Do this when what has just changed is on the screen: for what comes after it, a sound or a counter that travels. */
export function onceShown(what: () => void): void {
  // A page that nobody sees is not drawn.
  if (document.hidden) setTimeout(what);
  else requestAnimationFrame(() => setTimeout(what));
}

export const parts = {
  room: () => import('../parts/RoomPage.svelte'),
  daily: () => import('../parts/Daily.svelte'),
  deal: () => import('../parts/DealPage.svelte'),
  settings: () => import('../parts/SettingsForm.svelte'),
};

/** Fetch all of it, one after another: a page that stays open needs no file of an older version. */
export async function fetchAll(): Promise<void> {
  for (const part of Object.values(parts)) await part().catch(() => undefined);
  performance.mark('all is fetched');
}

/** When a part cannot be had: the page may be older than what the server has now; then it is opened
 * anew, once. Rejects when that is of no use. */
export async function renewed(fault: unknown): Promise<never> {
  const answer = await fetch(location.pathname, { cache: 'no-cache' });
  const last = Number(sessionStorage.getItem('popejoan:renewed') ?? 0);
  if (!answer.ok || Date.now() - last < 60_000) throw fault;
  sessionStorage.setItem('popejoan:renewed', String(Date.now()));
  location.reload();
  return new Promise<never>(() => undefined);
}
