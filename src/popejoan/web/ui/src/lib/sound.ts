// The sounds of the table, made here: none is loaded, and none is heard before the first touch.

import { tastes } from './tastes.svelte';

export type Sound = 'deal' | 'play' | 'stop' | 'counters' | 'turn' | 'win';

let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

function wake(): void {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  } catch {
    // A browser without sound plays the game as well.
  }
}
for (const event of ['pointerdown', 'keydown']) addEventListener(event, wake, { passive: true });

/** A breath of noise through a filter: paper, cloth. */
function brush(at: number, pitch: number, long: number, loud: number): void {
  const out = context!;
  if (!hiss) {
    hiss = out.createBuffer(1, out.sampleRate / 2, out.sampleRate);
    const data = hiss.getChannelData(0);
    for (let n = 0; n < data.length; n++) data[n] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(out, { buffer: hiss });
  const filter = new BiquadFilterNode(out, { type: 'bandpass', frequency: pitch, Q: 0.9 });
  source.connect(filter).connect(faded(at, 0.004, long, loud)).connect(out.destination);
  source.start(at, Math.random() * 0.2, long + 0.05);
}

/** A struck tone that dies away: bone on wood, a small bell. */
function strike(at: number, pitch: number, long: number, loud: number, type: OscillatorType = 'sine'): void {
  const out = context!;
  const tone = new OscillatorNode(out, { frequency: pitch, type });
  tone.connect(faded(at, 0.005, long, loud)).connect(out.destination);
  tone.start(at);
  tone.stop(at + long + 0.05);
}

function faded(at: number, rise: number, long: number, loud: number): GainNode {
  const gain = new GainNode(context!, { gain: 0 });
  const most = Math.max(0.0001, (loud * tastes.volume) / 100);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(most, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  return gain;
}

const SOUNDS: Record<Sound, (at: number) => void> = {
  deal: (at) => [0, 1, 2, 3, 4, 5].forEach((n) => brush(at + n * 0.07, 1900 + 220 * (n % 3), 0.07, 0.22)),
  play: (at) => {
    brush(at, 1500, 0.09, 0.34);
    strike(at + 0.02, 150, 0.07, 0.2, 'triangle');
  },
  stop: (at) => {
    strike(at, 196, 0.3, 0.2, 'triangle');
    strike(at + 0.1, 147, 0.42, 0.22, 'triangle');
  },
  counters: (at) =>
    [0, 1, 2, 3].forEach((n) => {
      strike(at + n * 0.06, 2350 + ((n * 397) % 900), 0.06, 0.1);
      strike(at + n * 0.06, 1240 + ((n * 211) % 300), 0.04, 0.08, 'triangle');
    }),
  turn: (at) => {
    strike(at, 784, 0.35, 0.16);
    strike(at + 0.12, 1047, 0.5, 0.16);
  },
  win: (at) => [523, 659, 784, 1047].forEach((pitch, n) => strike(at + n * 0.13, pitch, 0.7, 0.16, n === 3 ? 'sine' : 'triangle')),
};

/** Let a sound be heard, if this person wants any and has touched the page. */
export function play(sound: Sound): void {
  if (tastes.quiet || !tastes.volume || context?.state !== 'running' || document.hidden) return;
  SOUNDS[sound](context.currentTime + 0.01);
}

/** A tap of the phone, where there is one and it is wanted. */
export function buzz(pattern: number | number[]): void {
  if (tastes.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
