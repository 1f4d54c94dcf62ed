// What travels, as the page reads it; docs/protocol.md and docs/wire.md explain it.

export type Settings = {
  name: string;
  seats: number;
  rules: string;
  deals: number | null;
  bots: string | null;
  clock: number | null;
  grace: number;
  watch: boolean;
  chat: boolean;
  /** Whether known stops and dead cards may be shown. */
  aids: boolean;
  /** Whether a player may ask what to lead. */
  hints: boolean;
};

/** number, name, standing, bot, number in the match */
export type PersonRow = [number, string, string, string | null, number | null];

export type Transfer = {
  payer: number | string;
  payee: number | string;
  counters: number;
  reason: string;
};

export type GameEvent = {
  event: string;
  seat?: number;
  card?: string;
  stop?: string;
  compartment?: string;
  counters?: number;
  transfers?: Transfer[];
  transfer?: Transfer;
  winner?: number;
  cards?: number;
  [more: string]: unknown;
};

/** Something that happened: a fact, or an event of the deal. */
export type Told = {
  what: string;
  person?: number;
  by?: number;
  card?: string;
  rules?: string;
  bot?: string;
  deal?: number;
  seats?: number[];
  event?: GameEvent;
};

export type Facts = {
  dealer: number;
  sizes: number[];
  stock_size: number;
  turn_up: string;
  trump: string;
  hand: string[];
  counts: number[];
  to_act: number | null;
  legal: string[];
  dead: string[];
  stops: string[];
  board: Record<string, number>;
  purses: number[];
  due: { seat: number; compartment: string; counters: number }[];
  over: boolean;
  winner: number | null;
};

export type View = {
  seat: number | null;
  opening: { purses: number[]; board: Record<string, number> };
  claiming: boolean[];
  dealt: string[];
  stock: string[] | null;
  events: GameEvent[];
  rules: Record<string, unknown>;
  table: Facts;
};

export type Opening = {
  number: number;
  seal: string;
  nonce: string;
  cards: string;
  rules: string;
  deal: string;
  dealer: number;
};

/** A deal that is over, with all hands open. */
export type ReplayDeal = {
  names: string[];
  rules: { text: string; fields: Record<string, unknown> };
  dealer: number;
  hands: string[][];
  turn_up: string;
  stock: string[];
  opening: { purses: number[]; board: Record<string, number> };
  won: number[];
  events: GameEvent[];
  record: string;
};

export type Laid = { day: string; seat: number; then: number[] };

export type Final = {
  won: number[];
  debts: [number, number, number][];
  left: number;
  division: { hands: string[][]; transfers: Transfer[] } | null;
  sitting: number[];
};

export type Sections = {
  settings: Settings;
  planned: Settings | null;
  rules: { text: string; fields: Record<string, unknown>; clauses: [string, string, string, string][] };
  people: PersonRow[];
  host: number;
  phase: 'lobby' | 'playing' | 'between' | 'over';
  deal: number;
  seats: number[];
  purses: number[];
  board: Record<string, number>;
  next_dealer: number | null;
  to_act: number | null;
  back: number | null;
  ready: number[];
  ending: boolean;
  paused: boolean;
  seal: string | null;
  dealt_seal: string | null;
  opening: Opening | null;
  laid: Laid | null;
  results: [number, number, number, number[]][];
  brought: number[];
  knave: string[];
  final: Final | null;
  present: [number, string][];
};

export type Line = [number, string, number];

export type Field = {
  name: string;
  clause: string;
  question: string;
  values: [unknown, string, string][];
};

export type Choices = {
  presets: Record<string, { text: string; fields: Record<string, unknown> }>;
  fields: Field[];
  bots: string[];
  share: string | null;
};
