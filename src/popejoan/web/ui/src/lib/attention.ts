// What the page does outside itself: the tab, a notice, and a screen that stays awake.

import calm from '../icon.svg';
import called from '../icon-turn.svg';

/** Show in the tab whether it is this person's turn. */
export function flag(turn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = turn ? called : calm;
  if (link && link.getAttribute('href') !== wanted) link.href = wanted;
}

/** Ask whether notices may be shown; false when they may not. */
export async function mayNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** A notice for someone who looks elsewhere. */
export function notify(title: string, body: string): void {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const notice = new Notification(title, { body, tag: 'popejoan', icon: calm });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Some phones let only a service worker speak: the tab still shows it.
  }
}

/** Keep the screen awake until the answer is called; it is taken up again after a look elsewhere. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let wanted = true;
  const take = async () => {
    if (!wanted || document.hidden || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (!wanted) void lock.release();
    } catch {
      // A phone that saves its battery may refuse.
    }
  };
  void take();
  document.addEventListener('visibilitychange', take);
  return () => {
    wanted = false;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}
