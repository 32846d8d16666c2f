import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Night only changes colours and a desk only the layout, so two looks show both kinds of each. */
const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** The serious and critical findings of axe on this screen: on a phone by day, and at a desk by night. */
export const accessibilityFaults = async (page: Page, screen: string): Promise<string[]> => {
  const found: string[] = [];
  await page.evaluate(AXE);
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const { violations } = await page.evaluate((): Promise<AxeResults> =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'] }),
    );
    for (const { id, impact, help, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical')
        found.push(`${screen}, ${colorScheme}, ${width}: ${id}: ${help}: ${nodes.map(({ target }) => String(target)).join('; ')}`);
    }
    if (await overflows(page)) found.push(`${screen}, ${width}: wider than the window`);
  }
  return found;
};

/** WCAG 2.2, 1.4.10: no horizontal scrolling. */
const overflows = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
