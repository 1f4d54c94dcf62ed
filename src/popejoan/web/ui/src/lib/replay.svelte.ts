// A deal that is over, shown card by card with all hands open. For the parts of the page it is a
// room in which nothing happens but what is shown.

import { Room } from './room.svelte';
import { tellEvent } from './tell';
import type { GameEvent, ReplayDeal, Sections, View } from './types';

const isCard = ({ event }: GameEvent) => event === 'led' || event === 'followed';

/** How many events are shown after each step: the opening, then each card with all that it brings. */
function stepsOf(events: GameEvent[]): number[] {
  const starts = events.flatMap((event, place) => (isCard(event) ? [place] : []));
  return [...starts, events.length];
}

export class Replay extends Room {
  step_ = $state(0);
  playing = $state(false);
  readonly steps: number[];
  private clock: ReturnType<typeof setTimeout> | undefined;

  /** The lead that comes next, and how many stand before it; null where none comes. */
  next = $derived.by(() => {
    const events = this.view!.events;
    const event = events[this.shown];
    if (event?.event !== 'led') return null;
    const leads = events.slice(0, this.shown).filter((each) => each.event === 'led').length;
    return { seat: event.seat!, card: event.card!, leads };
  });
  /** What happened in this step, in words. */
  happened = $derived.by(() => {
    const from = this.step_ ? this.steps[this.step_ - 1] : 0;
    return this.view!.events.slice(from, this.shown).map((event) => tellEvent(event, this.naming));
  });
  private naming = {
    name: (seat: number) => this.deal.names[seat] || this.seatName(seat),
    you: null as number | null,
  };

  constructor(
    readonly deal: ReplayDeal,
    readonly mine: number | null,
  ) {
    super('', '');
    this.steps = stepsOf(deal.events);
    this.view = viewOf(deal);
    this.table = tableOf(deal);
    this.naming.you = mine;
    this.go(0);
  }

  override behind = $derived(false);

  /** The cards that each seat still holds, and those it has played. */
  hands = $derived.by(() => {
    const gone = new Set(this.view!.events.slice(0, this.shown).filter(isCard).map(({ card }) => card));
    return this.deal.hands.map((hand) => hand.map((card) => ({ card, gone: gone.has(card) })));
  });

  /** Show so many steps. */
  go(step: number): void {
    this.step_ = Math.max(0, Math.min(this.steps.length - 1, step));
    this.shown = this.steps[this.step_];
    if (this.step_ === this.steps.length - 1) this.stop();
  }

  play(): void {
    if (this.step_ === this.steps.length - 1) this.go(0);
    this.playing = true;
    const next = () => {
      this.go(this.step_ + 1);
      if (this.playing) this.clock = setTimeout(next, 900);
    };
    this.clock = setTimeout(next, 500);
  }

  stop(): void {
    this.playing = false;
    clearTimeout(this.clock);
  }

  override seatName(seat: number): string {
    return this.deal?.names[seat] || super.seatName(seat);
  }

  override close(): void {
    this.stop();
    super.close();
  }
}

function viewOf(deal: ReplayDeal): View {
  const dealt = deal.events.find(({ event }) => event === 'dealt')!;
  const sizes = dealt.sizes as number[];
  return {
    seat: null,
    opening: deal.opening,
    claiming: deal.names.map(() => true),
    dealt: [],
    stock: deal.stock,
    events: deal.events,
    rules: deal.rules.fields,
    table: {
      dealer: deal.dealer, sizes, stock_size: deal.stock.length, turn_up: deal.turn_up,
      trump: deal.turn_up[1], hand: [], counts: sizes, to_act: null, legal: [], dead: [], stops: [],
      board: deal.opening.board, purses: deal.opening.purses, due: [], over: true, winner: null,
    },
  };
}

function tableOf(deal: ReplayDeal): Sections {
  return {
    settings: {
      name: '', seats: deal.names.length, rules: deal.rules.text, deals: 1, bots: null, clock: null,
      grace: 0, watch: false, chat: false, aids: false, hints: false,
    },
    planned: null,
    rules: { ...deal.rules, clauses: [] },
    people: deal.names.map((name, seat) => [seat, name, 'sitting', null, seat]),
    host: -1, phase: 'playing', deal: 1, seats: deal.names.map((_, seat) => seat),
    purses: deal.opening.purses, board: deal.opening.board, next_dealer: null, to_act: null,
    back: null, ready: [], ending: false, paused: false, seal: null, dealt_seal: null, opening: null,
    laid: null, results: [], brought: [], knave: [], final: null, present: [],
  } as Sections;
}
