// What the page waits for before it is shown: asked for by the first lines that run.

import { catalogueOf, wished } from './languages';

const FONTS = ['16px "Atkinson Hyperlegible"', '700 16px "Atkinson Hyperlegible"', '16px "IM Fell English"'];

catalogueOf(wished()).catch(() => undefined);

/** The letters, if they come soon: the page is shown once, and does not jump when they come late. */
export const letters = Promise.race([
  Promise.all(FONTS.map((font) => document.fonts.load(font))).catch(() => undefined),
  new Promise((done) => setTimeout(done, 400)),
]);
