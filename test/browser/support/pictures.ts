import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Page } from 'playwright-core';

import { compareScreen, looksTheSame } from './compare-pictures.js';

/** The folder of the accepted pictures, and the folder of those that differ. */
const ACCEPTED = resolve('test/browser/pictures');
const REFUSED = resolve('dist/pictures');

/** `UPDATE_PICTURES=1` accepts the pages as they are now. */
const updates = process.env['UPDATE_PICTURES'] === '1';

/** A phone by day and a desk by night: night only changes colours and a desk only the layout, so two looks show both kinds of each. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 360, height: 780 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;

/**
 * Elements that differ from run to run are hidden but keep their place: codes, clocks, names made at random (`data-testid` or a selector).
 * The letters are those of Liberation, which CI installs.
 */
const stillLife = (changing: readonly string[]): string => `
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
  *, *::placeholder { font-family: 'Liberation Sans' !important; }
  *::marker { font-family: 'Liberation Serif' !important; }
  code, code * { font-family: 'Liberation Mono' !important; }
  ${['[data-testid="qr-code"]', '[data-testid="countdown"]', '[data-testid="verification-code"]', ...changing].join(', ')} { visibility: hidden !important; }`;

/**
 * Compares a screen with its accepted pictures, one for each look. Answers the differences; the new pictures then lie in `dist/pictures`,
 * together with those that mark the difference. A picture that is missing differs too, unless `UPDATE_PICTURES=1` accepts it.
 *
 * @param changing CSS selectors of elements that differ from run to run
 * @param fullPage false: only what the window shows, of a page that is much longer
 */
export const pictureFaults = async (
  page: Page,
  screen: string,
  changing: readonly string[] = [],
  { fullPage = true }: { readonly fullPage?: boolean } = {},
): Promise<string[]> => {
  const faults: string[] = [];
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, stillLife(changing));
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    const name = `${screen}-${viewport.width}-${colorScheme}`;
    const fault = await judge(name, async () => {
      await isDrawn(page);
      return page.screenshot({ fullPage, scale: 'css' });
    });
    if (fault !== undefined) faults.push(fault);
  }
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  return faults;
};

/** As {@link pictureFaults}, of the hosted page: the domain has the port of the run, and its width moves the name beside it by parts of a pixel. */
export const hostedPictureFaults = async (page: Page, screen: string): Promise<string[]> => {
  await page.evaluate(() => {
    for (const domain of document.querySelectorAll('[data-testid="domain"]')) domain.textContent = 'shop.example';
  });
  return pictureFaults(page, screen);
};

/** Resolves when the page has drawn what it has, from its top and without a focus. */
const isDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo(0, 0);
    await document.fonts.ready;
    await new Promise((idle) => requestIdleCallback(idle, { timeout: 200 }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });

const judge = async (name: string, take: () => Promise<Buffer>): Promise<string | undefined> => {
  const accepted = join(ACCEPTED, `${name}.png`);
  if (!existsSync(accepted)) {
    if (updates) return void keep(accepted, await take());
    keep(join(REFUSED, `${name}.png`), await take());
    return `${name}: there is no accepted picture; look at dist/pictures/${name}.png and run with UPDATE_PICTURES=1`;
  }
  const { taken, comparison } = await compareScreen(readFileSync(accepted), take);
  if (looksTheSame(comparison)) return undefined;
  if (updates) return void keep(accepted, taken);
  keep(join(REFUSED, `${name}.png`), taken);
  if (comparison.marked) keep(join(REFUSED, `${name}.difference.png`), comparison.marked);
  const { changed, densest, left, top } = comparison;
  const where = left === undefined ? '' : ` at ${left}, ${top}`;
  return `${name}: ${(changed * 100).toFixed(3)} % of the picture changed, ${densest} pixels in the region${where}; see dist/pictures/${name}.png`;
};

const keep = (path: string, picture: Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture);
};
