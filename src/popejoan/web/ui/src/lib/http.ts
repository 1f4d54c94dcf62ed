// Requests to the server that the page came from, wherever a proxy shows it.

import type { Choices, Settings } from './types';
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

async function ask<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address(path), {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
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
export const summary = (code: string) => ask<Summary>(`api/tables/${code}`);
export const come = (code: string, name: string, watching: boolean) =>
  ask<Given>(`api/tables/${code}/seats`, { name, watching });
export const checkRules = (rules: unknown, players: number | null) =>
  ask<RulesInWords>('api/rules', { rules, players });

export async function record(code: string, token: string): Promise<string> {
  const answer = await fetch(address(`api/tables/${code}/record`), {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) {
    const { says, why } = await answer.json();
    throw new Problem(refusal(says, why), answer.status);
  }
  return answer.text();
}
