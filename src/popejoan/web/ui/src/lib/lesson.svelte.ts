// The first deal, guided: what is said beside the game, each thing once, when it first happens.

import { cardName, placeName, suitName } from './fold';
import type { Room } from './room.svelte';
import type { GameEvent } from './types';
import { t, type Key } from './words.svelte';

/** What is said, and whether it waits to be read. */
type Step = { name: string; words: string; waits: boolean };

export class Lesson {
  private said = $state.raw<ReadonlySet<string>>(new Set());
  /** What is said now; it stays until something new is to be said. */
  step = $derived(this.next());

  private last: string[] = [];

  constructor(private readonly room: Room) {
    room.pauses = () => {
      this.note(this.last);
      this.last = this.step.name.split('|');
      return this.step.waits;
    };
  }

  /** The reader goes on. */
  goOn(): void {
    this.note(this.step.name.split('|'));
    if (this.room.behind) this.room.step();
  }

  /** These things have been said, and are not said again. */
  note(names: string[]): void {
    if (names.some((name) => name && !this.said.has(name))) this.said = new Set([...this.said, ...names]);
  }

  private next(): Step {
    const { room } = this;
    const turned = room.look?.turned;
    if (!turned) return { name: '', words: '', waits: false };
    const suit = suitName(turned);
    for (const [name, words] of [
      ['board', t('lesson.board')],
      ['trumps', t('lesson.trumps', { card: cardName(turned), suit })],
      ['hand', t('lesson.hand')],
    ])
      if (!room.look!.runs.length && !this.said.has(name)) return { name, words, waits: true };
    if (room.view!.table.over && !room.behind) return { name: 'out', words: t('lesson.out'), waits: false };
    const happened = room.look!.recent.map((event) => this.about(event)).filter((each) => each !== null);
    if (room.yours) {
      const kind = `lead.${this.kindOfLead()}`;
      happened.push([kind, t(`lesson.${kind}` as Key)]);
    }
    const fresh = happened.filter(([name]) => !this.said.has(name));
    // A stop is always explained; everything else is said once.
    const told = fresh.length ? fresh : happened.filter(([name]) => name.startsWith('stop.'));
    return {
      name: fresh.map(([name]) => name).join('|'),
      words: told.map(([, words]) => words).join(' '),
      // While more is to come, what is new is read first.
      waits: room.behind && fresh.length > 0,
    };
  }

  private about(event: GameEvent): [string, string] | null {
    const { room } = this;
    const name = event.seat === undefined ? '' : room.seatName(event.seat);
    const you = event.seat === room.seat ? 'yes' : 'no';
    if (event.event === 'followed') return ['run', t('lesson.run')];
    if (event.event === 'stopped') {
      const words = { card: cardName(event.card!), name, you };
      return [`stop.${event.stop}`, t(`lesson.stop.${event.stop}` as Key, words)];
    }
    if (event.event !== 'claimed') return null;
    const place = event.compartment!;
    const counters = event.counters!;
    if (event.seat === room.seat && place === 'matrimony') return [place, t('lesson.matrimony', { counters })];
    if (event.seat === room.seat && place === 'pope') return [place, t('lesson.pope', { counters })];
    return [`took ${place}`, t('lesson.earned', { name, you, place: placeName(place), counters })];
  }

  private kindOfLead(): string {
    const { hand, legal, stops } = this.room.view!.table;
    if (legal.length === hand.length) return 'any';
    if (legal.some((card) => stops.includes(card))) return 'stop';
    return legal.length === 1 && legal[0] === '9D' ? 'pope' : 'longest';
  }
}
