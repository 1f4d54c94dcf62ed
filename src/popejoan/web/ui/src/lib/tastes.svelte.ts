// How each person likes the page: kept in this browser, shown at once.

import { keep, kept } from './kept';

export type Theme = 'auto' | 'light' | 'dark' | 'contrast';
export type Index = 'auto' | 'big' | 'small';

class Tastes {
  theme = $state<Theme>(one('theme', ['auto', 'light', 'dark', 'contrast']));
  /** Two colours or four. */
  colours = $state<'four' | 'two'>(one('colours', ['four', 'two']));
  /** The size of the index in the corner; by itself it is big on small screens. */
  index = $state<Index>(one('index', ['auto', 'big', 'small']));
  /** How loud, from 0 to 100. */
  volume = $state(Math.min(100, Math.max(0, Number(kept('volume') ?? 60) || 0)));
  quiet = $state(kept('quiet') === '1');
  vibration = $state(kept('vibration') !== '0');
  notices = $state(kept('notices') === '1');
  /** Whether known stops and dead cards are shown. */
  aids = $state(kept('aids') !== '0');
  /** Whether the board turns by itself to the compartment that earns. */
  turning = $state(kept('turning') !== '0');
  /** Whether single keys read the board and the hand. */
  keys = $state(kept('keys') !== '0');

  small = $state(narrow.matches);
  still = $state(calm.matches);
  big = $derived(this.index === 'big' || (this.index === 'auto' && this.small));

  constructor() {
    narrow.addEventListener('change', (event) => (this.small = event.matches));
    calm.addEventListener('change', (event) => (this.still = event.matches));
    this.dress();
  }

  set<K extends 'theme' | 'colours' | 'index'>(name: K, value: Tastes[K]): void {
    (this as Tastes)[name] = value;
    keep(name, value);
    this.dress();
  }

  turn(name: 'quiet' | 'vibration' | 'notices' | 'aids' | 'turning' | 'keys', on: boolean): void {
    this[name] = on;
    keep(name, on ? '1' : '0');
  }

  loud(volume: number): void {
    this.volume = volume;
    keep('volume', String(volume));
  }

  private dress(): void {
    const root = document.documentElement;
    if (this.theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    root.dataset.colours = this.colours;
  }
}

function one<T extends string>(name: string, values: T[]): T {
  const found = kept(name) as T;
  return values.includes(found) ? found : values[0];
}

const narrow = matchMedia('(max-width: 700px), (max-height: 500px)');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export const tastes = new Tastes();
