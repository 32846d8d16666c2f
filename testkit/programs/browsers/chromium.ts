import { resolve } from 'node:path';

/** Debian's Chromium, or the one that CHROMIUM names. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The environment of a browser that sees the same fonts on every machine. */
export const SAME_FONTS = { FONTCONFIG_FILE: resolve('testkit/programs/browsers/fonts.conf'), ...process.env };

/** Nothing that calls home or needs a screen. */
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The same letters on every machine, for pictures. */
export const SAME_LETTERS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];
