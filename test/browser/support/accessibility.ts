import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [390, 1280].map((width) => ({ colorScheme, width })));

/** The serious and critical findings of axe on this screen: light and dark, on a phone and at a desk. */
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
