// The page's own server, in a worker: started when it is first asked for something.

import { folder } from 'virtual:solo';

/** What begins the code of a table that is played without a network. */
export const ALONE = 'solo';
export const isAlone = (code: string) => code.startsWith(ALONE);

type Waiting = { done: (value: any) => void; fail: (error: Error) => void };
const waiting = new Map<number, Waiting>();
const lines = new Map<number, SoloSocket>();
let count = 0;
let worker: Worker | null = null;
let starting: Promise<Worker> | null = null;

function hear({ data }: MessageEvent): void {
  if (data.line !== undefined) return lines.get(data.line)?.hear(data.what, data.text);
  const each = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.fault) each?.fail(new Error(data.fault));
  else each?.done(data.value);
}

function ask<T>(to: Worker, message: object): Promise<T> {
  const id = ++count;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    to.postMessage({ id, ...message });
  });
}

function start(): Promise<Worker> {
  starting ??= (async () => {
    const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: ALONE });
    made.onmessage = hear;
    const broken = new Promise<never>((_, fail) => {
      made.onerror = () => fail(new Error('the worker did not start'));
    });
    const base = new URL(`${folder}/`, document.baseURI.split('#')[0]).href;
    await Promise.race([ask(made, { kind: 'begin', base }), broken]);
    worker = made;
    return made;
  })();
  starting.catch(() => (starting = null));
  return starting;
}

export async function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  return ask(await start(), { kind: 'request', method, path, headers, body });
}

/** As much of a WebSocket as the page uses. */
export class SoloSocket {
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private readonly id = ++count;

  constructor(path: string) {
    lines.set(this.id, this);
    start().then(
      (made) => made.postMessage({ id: this.id, kind: 'connect', path }),
      () => this.hear('close', '1006'),
    );
  }

  send(text: string): void {
    worker?.postMessage({ id: this.id, kind: 'tell', text });
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    lines.delete(this.id);
    worker?.postMessage({ id: this.id, kind: 'tell', text: null });
  }

  hear(what: string, text: string): void {
    if (what === 'open') {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    } else if (what === 'frame') this.onmessage?.({ data: text });
    else {
      this.readyState = WebSocket.CLOSED;
      lines.delete(this.id);
      this.onclose?.({ code: Number(text) });
    }
  }
}

/** Let the browser keep the page: what keeps it, once it works; null where nothing can be kept. */
export async function keepPage(): Promise<ServiceWorker | null> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return null;
  const made = await navigator.serviceWorker.register('sw.js').catch(() => null);
  const keeper = made?.installing ?? made?.waiting ?? made?.active ?? null;
  if (!keeper || keeper.state === 'activated') return keeper;
  return new Promise((done, fail) => {
    keeper.addEventListener('statechange', () => {
      if (keeper.state === 'activated') done(keeper);
      else if (keeper.state === 'redundant') fail(new Error('the page could not be kept'));
    });
  });
}

/** Keep all that is needed to play without a network; where nothing can be kept, only this once. */
export async function keepAll(told: (done: number, all: number) => void): Promise<void> {
  const keeper = await keepPage();
  if (!keeper) return;
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((done, fail) => {
    port1.onmessage = ({ data }) => {
      if (data.kept) done();
      else if (data.fault) fail(new Error(data.fault));
      else told(data.done, data.all);
    };
    keeper.postMessage('keep all', [port2]);
  });
}
