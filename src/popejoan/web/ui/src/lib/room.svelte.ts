// The table as this client knows it: told by the socket, which is opened again whenever it is lost.

import { folded } from './fold';
import type { SoloSocket } from '../solo/solo';
import { dealOf, openLine } from './http';
import { keep, kept } from './kept';
import { same, steady } from './same';
import { tastes } from './tastes.svelte';
import { tell } from './tell';
import type { Facts, GameEvent, Line, ReplayDeal, Sections, Told, View } from './types';
import { refusal, spoken, t } from './words.svelte';

type Standing = 'joining' | 'here' | 'lost' | 'gone';
export const PACES = ['tap', 'slow', 'normal', 'fast', 'at once'] as const;
export type Speed = (typeof PACES)[number];
const SPEEDS: Record<Speed, number> = { tap: 0, slow: 1400, normal: 560, fast: 220, 'at once': 0 };

/** What the server advises to lead. */
export type Advice = { lead: string; runner_up: string | null; gain: number; sure: boolean };

type More = { since: number; events: GameEvent[]; claiming: boolean[]; table: Facts };

const brought = (events: GameEvent[]): Told[] =>
  events.map((event) => ({ what: 'event', event }));

export class Room {
  table = $state.raw<Sections | null>(null);
  view = $state.raw<View | null>(null);
  shown = $state(0);
  you = $state<number | null>(null);
  lines = $state.raw<Line[]>([]);
  /** What happened, and whose seats its events speak of. */
  told = $state.raw<{ fact: Told; seats: number[] }[]>([]);
  standing = $state<Standing>('joining');
  word = $state('');
  speed = $state<Speed>((kept('speed') as Speed) ?? 'normal');
  unread = $state(0);
  /** The card of the hand that is looked at: the board shows what it would earn. */
  pointed = $state<string | null>(null);
  /** The deal that is over and is looked at again. */
  replaying = $state.raw<{ deal: ReplayDeal; number: number } | null>(null);
  /** Whether what is shown has to be read before there is more: for a lesson. */
  pauses: (() => boolean) | null = null;
  private held = false;
  /** What was advised, until something happens. */
  advice = $state.raw<Advice | null>(null);
  /** Whether a run that has been seen is shown again. */
  again = $state(false);

  /** What happened, in words. */
  log = $derived(this.told.map(({ fact, seats }) => this.sentence(fact, seats)));
  look = $derived.by(steady(() => (this.view ? folded(this.view, this.shown) : null)));
  behind = $derived(this.view !== null && this.shown < this.view.events.length);
  /** How many asks have not been answered. */
  asking = $state(0);
  /** Whether more is on its way than is shown. */
  busy = $derived(this.behind || this.asking > 0);
  me = $derived(this.table?.people.find(([number]) => number === this.you) ?? null);
  host = $derived(this.you !== null && this.table?.host === this.you);
  seat = $derived(this.view?.seat ?? null);
  yours = $derived(
    !this.behind &&
      this.table?.phase === 'playing' &&
      !this.table.paused &&
      this.you !== null &&
      this.table.to_act === this.you,
  );

  /** Who is in each seat of the deal, as the reader calls them. */
  private seated = $derived.by(
    steady(() => this.table?.seats.map((number) => (number === this.you ? t('you') : this.name(number))) ?? []),
  );

  /** Whether known stops and dead cards are shown: the table allows it, and this person wants it. */
  aids = $derived(this.table?.settings.aids !== false && tastes.aids);

  private socket: WebSocket | SoloSocket | null = null;
  private waiting = new Map<string, { text: string; done: (says: string | null) => void }>();
  private tries = 0;
  private asks = 0;
  private pace: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private closed = false;
  private queue: Told[] = [];
  private around: number[] = [];
  private readonly sentences = new WeakMap<Told, { tag: string; text: string }>();
  private readonly self = Math.random().toString(36).slice(2, 10);

  constructor(
    readonly code: string,
    readonly token: string,
  ) {}

  open(): void {
    const socket = openLine(this.code);
    this.socket = socket;
    clearTimeout(this.retry);
    socket.onopen = () =>
      socket.send(JSON.stringify({ kind: 'hello', protocol: 1, token: this.token, says: false }));
    socket.onmessage = (message: { data: string }) => this.hear(JSON.parse(message.data));
    socket.onclose = (event: { code: number }) => {
      if (this.socket !== socket || this.closed) return;
      clearInterval(this.beat);
      if ([4403, 4404].includes(event.code)) {
        this.standing = 'gone';
        return;
      }
      this.standing = this.table ? 'lost' : 'joining';
      const wait = Math.min(5000, 250 * 2 ** this.tries++) * (0.7 + 0.6 * Math.random());
      this.retry = setTimeout(() => this.open(), wait);
    };
    clearInterval(this.beat);
    this.heard = Date.now();
    this.beat = setInterval(() => this.check(), 5000);
  }

  /** The line may have died without a word: ask, and begin anew when nothing is heard. */
  private check(): void {
    const silent = Date.now() - this.heard;
    if (silent > 20_000) this.reopen();
    else if (silent > 8_000 && this.socket?.readyState === WebSocket.OPEN)
      this.socket.send('{"kind":"ping"}');
  }

  /** Drop the line and open another, now. */
  reopen(): void {
    if (this.closed || this.standing === 'gone') return;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.tries = 0;
    if (this.table) this.standing = 'lost';
    this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.pace);
    clearInterval(this.beat);
    this.socket?.close();
  }

  /** Ask for something; it is asked again after a broken line, and done once. */
  ask(kind: string, more: object = {}): Promise<string | null> {
    const id = `${this.self}-${++this.asks}`;
    const text = JSON.stringify({ kind, id, ...more });
    return new Promise((done) => {
      this.waiting.set(id, { text, done });
      this.asking = this.waiting.size;
      if (this.standing === 'here' && this.socket?.readyState === WebSocket.OPEN)
        this.socket.send(text);
    });
  }

  /** Ask, and show the reason when it is refused. */
  async try(kind: string, more: object = {}): Promise<boolean> {
    const says = await this.ask(kind, more);
    this.word = says ?? '';
    return says === null;
  }

  /** Look again at a deal that is over. */
  async seeDeal(number: number): Promise<void> {
    try {
      this.replaying = { deal: await dealOf(this.code, number, this.token), number };
      this.word = '';
    } catch (error) {
      this.word = (error as Error).message;
    }
  }

  /** Ask what to lead; the card is shown, and why it is the one. */
  async seekHint(): Promise<void> {
    this.advice = null;
    const seen = this.view!.events.length;
    await this.try('hint', { deal: this.table!.deal, seen });
  }

  lead(card: string): Promise<boolean> {
    return this.try('lead', {
      deal: this.table!.deal,
      seen: this.view!.events.length,
      card,
    });
  }

  private hear(message: any): void {
    this.heard = Date.now();
    switch (message.kind) {
      case 'welcome':
        this.tries = 0;
        this.standing = 'here';
        this.you = message.you;
        this.table = message.table;
        this.view = message.view;
        this.shown = this.view?.events.length ?? 0;
        this.lines = message.lines;
        this.told = [];
        this.tellAll(message.told);
        this.queue = [];
        this.held = false;
        clearTimeout(this.pace);
        this.pace = undefined;
        for (const { text } of this.waiting.values()) this.socket!.send(text);
        break;
      case 'news':
        this.news(message);
        break;
      case 'done':
      case 'refused':
        this.answered(message.id, message.kind === 'done' ? null : refusal(message.says, message.why));
        break;
      case 'hint':
        if (message.seen === this.view?.events.length) this.advice = message.hint;
        this.answered(message.id, null);
        break;
      case 'goodbye':
        this.word = refusal(message.says, message.why);
        break;
    }
  }

  private answered(id: string, says: string | null): void {
    this.waiting.get(id)?.done(says);
    this.waiting.delete(id);
    this.asking = this.waiting.size;
  }

  private news(message: any): void {
    if (message.table) this.table = same(this.table, { ...this.table!, ...message.table });
    if (message.line) {
      this.lines = [...this.lines, message.line].slice(-100);
      if (message.line[0] !== this.you) this.unread += 1;
    }
    const told: Told[] = message.told ?? [];
    if (message.view) {
      this.view = message.view;
      this.shown = this.view!.events.length;
      this.word = '';
      this.tellAll([...this.queue, ...told, ...brought(this.view!.events)]);
      this.queue = [];
    } else if (message.more && this.view) {
      const more: More = message.more;
      const back = more.since < this.view.events.length;
      const events = [...this.view.events.slice(0, more.since), ...more.events];
      this.view = same(this.view, { ...this.view, events, claiming: more.claiming, table: more.table });
      this.advice = null;
      this.shown = Math.min(this.shown, more.since);
      if (back) this.queue = [];
      if (this.shown === more.since) this.tellAll([...this.queue.splice(0), ...told]);
      else this.queue.push(...told);
      this.queue.push(...brought(more.events));
      this.step(true);
    } else {
      this.tellAll(told);
    }
    if (this.table?.phase === 'lobby') this.view = null;
  }

  private tellAll(facts: Told[]): void {
    const told = facts.map((fact) => {
      if (fact.what === 'deal') this.around = fact.seats!;
      return { fact, seats: this.around };
    });
    if (told.length) this.told = [...this.told, ...told].slice(-300);
  }

  /** A fact in words; names do not change, so that it is said once in each language. */
  private sentence(fact: Told, seats: number[]): string {
    const before = this.sentences.get(fact);
    if (before?.tag === spoken()) return before.text;
    const name = (person: number) => this.name(person);
    const text = tell(fact, name, {
      name: (seat) => this.name(seats[seat]),
      you: this.you === null ? null : seats.indexOf(this.you),
    });
    this.sentences.set(fact, { tag: spoken(), text });
    return text;
  }

  /** Tell what has waited, up to the next event of the deal. */
  private tellNext(): void {
    const place = this.queue.findIndex(({ what }) => what === 'event');
    this.tellAll(this.queue.splice(0, place + 1));
  }

  /** Show the next card of the run, or everything there is. */
  step(first = false): void {
    if (!this.view || (first && this.held)) return;
    this.held = false;
    if (!first || !this.pace) this.reveal(first);
  }

  private reveal(first: boolean): void {
    clearTimeout(this.pace);
    this.pace = undefined;
    const events = this.view!.events;
    if (this.speed === 'at once' && !this.again && !this.pauses) return this.all();
    if (this.speed === 'tap' && first && !this.mineNext()) return;
    // A card comes with everything that it brings.
    while (this.shown < events.length) {
      this.shown += 1;
      this.tellNext();
      const next = events[this.shown];
      if (!next || next.event === 'led' || next.event === 'followed') break;
    }
    if (this.shown === events.length) this.again = false;
    else if (this.pauses?.()) this.held = true;
    else if (this.speed !== 'tap')
      this.pace = setTimeout(() => this.reveal(false), SPEEDS[this.speed] || SPEEDS.fast);
  }

  private mineNext(): boolean {
    const next = this.view!.events[this.shown];
    return next?.seat === this.view!.seat && next.event === 'led';
  }

  /** Show everything that has happened. */
  all(): void {
    clearTimeout(this.pace);
    this.pace = undefined;
    this.shown = this.view?.events.length ?? 0;
    this.again = this.held = false;
    this.tellAll(this.queue.splice(0));
  }

  /** Show the last run once more, from its lead; what it told is not told again. */
  seeAgain(): void {
    if (!this.view || this.behind) return;
    const lead = this.view.events.findLastIndex((event) => event.event === 'led');
    if (lead < 0) return;
    this.again = true;
    this.shown = lead;
    this.reveal(false);
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    keep('speed', speed);
    if (this.behind) this.reveal(false);
  }

  name(number: number): string {
    return this.table?.people[number]?.[1] ?? t('seat', { number });
  }

  /** The name of whoever is in a seat of the deal. */
  seatName(seat: number): string {
    return this.seated[seat] ?? t('seat', { number: seat });
  }

  memberName(member: number): string {
    return this.table?.people.find((person) => person[4] === member)?.[1] ?? t('player', { number: member });
  }

  state(number: number): string {
    return this.table?.present.find(([each]) => each === number)?.[1] ?? '';
  }
}
