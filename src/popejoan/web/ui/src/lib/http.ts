// Requests to the server that the page came from, wherever a proxy shows it.

import type { Choices, ReplayDeal, Settings } from './types';
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

async function ask<T>(path: string, body?: unknown, token = '', post = body !== undefined): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address(path), {
      method: post ? 'POST' : 'GET',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Problem(t('problem.network'), 0);
  }
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const says = found.says ? refusal(found.says, found.why) : t('problem.strange');
    throw new Problem(says, answer.status, found.faults ?? []);
  }
  return found as T;
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
export const setTable = (name: string, settings: Partial<Settings>) =>
  ask<Given>('api/tables', { name, settings });
export const beginLesson = (name: string) => ask<Given>('api/lessons', { name });
export const summary = (code: string) => ask<Summary>(`api/tables/${code}`);
export const come = (code: string, name: string, watching: boolean) =>
  ask<Given>(`api/tables/${code}/seats`, { name, watching });
export const checkRules = (rules: unknown, players: number | null) =>
  ask<RulesInWords>('api/rules', { rules, players });

/** A deal of a table's match that is over. */
export const dealOf = (code: string, number: number, token: string) =>
  ask<ReplayDeal>(`api/tables/${code}/deals/${number}`, undefined, token);
/** A link's name for that deal; whoever has it may see the deal. */
export const share = (code: string, number: number, token: string) =>
  ask<{ deal: string }>(`api/tables/${code}/deals/${number}`, undefined, token, true);
/** The deals that a record tells. */
export const replay = (record: string) => ask<ReplayDeal[]>('api/replay', { record });
/** A table at which a deal is played on from one of its leads. */
export const playAgain = (wish: { name: string; record: string; seat: number; leads: number }) =>
  ask<Given>('api/again', wish);

/** The deal that a link leads to. */
export async function shared(name: string): Promise<ReplayDeal> {
  const text = await plain(`api/deals/${name}`);
  return (await replay(text))[0];
}

export const record = (code: string, token: string) => plain(`api/tables/${code}/record`, token);

async function plain(path: string, token = ''): Promise<string> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(address(path), { headers }).catch(() => null);
  if (!answer) throw new Problem(t('problem.network'), 0);
  if (answer.ok) return answer.text();
  const { says, why } = await answer.json().catch(() => ({}));
  throw new Problem(says ? refusal(says, why) : t('problem.strange'), answer.status);
}
