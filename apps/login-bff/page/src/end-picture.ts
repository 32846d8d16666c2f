import { svgEl } from '#web-page/browser';

/** Strokes in a square of 32. */
const PICTURES = {
  CROSS: ['M16 4a12 12 0 1 0 0 24a12 12 0 0 0 0-24', 'M11.5 11.5l9 9M20.5 11.5l-9 9'],
  BACK: ['M13 8l-7 7l7 7', 'M6 15h13a6 6 0 0 1 0 12h-4'],
  CLOCK: ['M16 4a12 12 0 1 0 0 24a12 12 0 0 0 0-24', 'M16 9v7l5 3'],
  WINDOWS: ['M5 12h15v14H5z', 'M11 12V6h16v14h-7'],
  COOKIE: ['M16 4a12 12 0 1 0 12 12a6 6 0 0 1-6.5-5.5A6 6 0 0 1 16 4', 'M11 13v.5M12 20.5v.5M19 18v.5'],
  DOCUMENT: ['M8 4h11l6 6v18H8z', 'M16.5 13v7M16.5 23.5v.5'],
  LINK: ['M13 19l6-6', 'M11 15l-3 3a4.5 4.5 0 0 0 6 6l3-3', 'M21 17l3-3a4.5 4.5 0 0 0-6-6l-3 3'],
  TICK: ['M16 4a12 12 0 1 0 0 24a12 12 0 0 0 0-24', 'M10.5 16l4 4.5l7.5-9'],
  PHONE: ['M10 3h12a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z', 'M14.5 25h3'],
  WAVES: [
    'M8 3h10a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z',
    'M11.5 25h3',
    'M23.5 12a6 6 0 0 1 0 8',
    'M27 9a11 11 0 0 1 0 14',
  ],
} as const;

export type Picture = keyof typeof PICTURES;

/** A line drawing beside words that say the same, so a screen reader skips it. */
export const picture = (name: Picture): SVGElement =>
  svgEl(
    'svg',
    { class: 'picture', viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false' },
    ...PICTURES[name].map((d) => svgEl('path', { d })),
  );
