// Requests to the server that the page came from, wherever a proxy shows it.

import type { Choices, ReplayDeal, Settings } from './types';
import { ALONE, SoloSocket, isAlone, request } from '../solo/solo';
import { refusal, t } from './words.svelte';

export class Problem extends Error {
  constructor(
    says: string,
    readonly status: number,
    readonly faults: [string, string][] = [],
  ) {
    super(says);
  }
}

export function address(path: string): string {
  return new URL(path, document.baseURI.split('#')[0]).href;
}

type Answer = { ok: boolean; status: number; text: string };
type Wish = { body?: unknown; token?: string; method?: string; alone?: boolean };

/** Whether the page plays without a network just now: then it asks a server of its own. */
const playingAlone = () => isAlone(location.hash.slice(1));

async function send(path: string, { body, token, method, alone = playingAlone() }: Wish): Promise<Answer> {
  const how = method ?? (body === undefined ? 'GET' : 'POST');
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers.authorization = `Bearer ${token}`;
  const text = body === undefined ? '' : JSON.stringify(body);
  try {
    if (alone) {
      const found = await request(how, path.replace(`tables/${ALONE}`, 'tables/'), headers, text);
      return { ok: found.status < 400, ...found };
    }
    const answer = await fetch(address(path), { method: how, headers, body: text || null });
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  } catch {
    throw new Problem(alone ? t('problem.alone') : t('problem.network'), 0);
  }
}

async function plain(path: string, wish: Wish = {}): Promise<string> {
  const answer = await send(path, wish);
  if (answer.ok) return answer.text;
  let found: { says?: string; why?: Record<string, string | number>; faults?: [string, string][] } = {};
  try {
    found = JSON.parse(answer.text);
  } catch {
    // A proxy answers in its own way.
  }
  const says = found.says ? refusal(found.says, found.why) : t('problem.strange');
  throw new Problem(says, answer.status, found.faults ?? []);
}

const ask = async <T>(path: string, wish: Wish = {}): Promise<T> => JSON.parse(await plain(path, wish)) as T;

async function seat(path: string, wish: Wish): Promise<Given> {
  const given = await ask<Given>(path, wish);
  return (wish.alone ?? playingAlone()) ? { ...given, code: ALONE + given.code } : given;
}

export type Given = { code: string; person: number; token: string };
export type Summary = {
  name: string;
  seats: number;
  free: number;
  rules: string;
  phase: string;
  watch: boolean;
  people: string[];
  /** Whether this browser's cookie holds a seat already. */
  seated: boolean;
};
export type RulesInWords = {
  text: string;
  fields: Record<string, unknown>;
  clauses: [string, string, string, string][];
};

export const choices = () => ask<Choices>('api/choices');
export const setTable = (name: string, settings: Partial<Settings>, alone = false) =>
  seat('api/tables', { body: { name, settings }, alone });
export const beginLesson = (name: string) => seat('api/lessons', { body: { name } });
export const summary = (code: string) => ask<Summary>(`api/tables/${code}`);
export const come = (code: string, name: string, watching: boolean) =>
  seat(`api/tables/${code}/seats`, { body: { name, watching } });
export const checkRules = (rules: unknown, players: number | null) =>
  ask<RulesInWords>('api/rules', { body: { rules, players } });

/** A deal of a table's match that is over. */
export const dealOf = (code: string, number: number, token: string) =>
  ask<ReplayDeal>(`api/tables/${code}/deals/${number}`, { token });
/** A link's name for that deal; whoever has it may see the deal. */
export const share = (code: string, number: number, token: string) =>
  ask<{ deal: string; days: number }>(`api/tables/${code}/deals/${number}`, { token, method: 'POST' });
/** The deals that a record tells. */
export const replay = (record: string) => ask<ReplayDeal[]>('api/replay', { body: { record } });
/** A table at which a deal is played on from one of its leads. */
export const playAgain = (wish: { name: string; record: string; seat: number; leads: number }) =>
  seat('api/again', { body: wish });
/** The deal that a link leads to. */
export const shared = async (name: string) => (await replay(await plain(`api/deals/${name}`)))[0];
export const record = (code: string, token: string) => plain(`api/tables/${code}/record`, { token });

export type Day = {
  day: string;
  playing: number;
  /** Place, name, and what was won. */
  results: [number, string, number][];
  /** My place and what I won. */
  yours: [number, number] | null;
  begun: boolean;
};
export type Days = { players: number; rules: string; bot: string; days: Day[] };
/** Everyone's result of the deal of the day, and of the day before. */
export const daily = (who: string) => ask<Days>('api/daily', { token: who });
export const beginDaily = (name: string, who: string) => seat('api/daily', { body: { name, who } });

/** The line to a table; one played without a network has no network to be lost. */
export function openLine(code: string): WebSocket | SoloSocket {
  if (isAlone(code)) return new SoloSocket(`api/tables/${code.slice(ALONE.length)}/socket`);
  return new WebSocket(address(`api/tables/${code}/socket`).replace(/^http/, 'ws'));
}
