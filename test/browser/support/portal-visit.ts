import { afterEach } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

import { accessibilityFaults } from './accessibility.js';
import { layoutFaults } from './broken-words.js';
import type { Stage } from './stage.js';
import type { WebPhone } from './web-phone.js';

export interface PortalVisit {
  at(page: Page, testid: string): Locator;
  textAt(page: Page, testid: string): Promise<string>;
  /** Checks a screen for accessibility, and its layout on the smallest phone. */
  look(page: Page, screen: string): Promise<void>;
  /** From the portal over the hosted page and the phone, back to the portal. */
  logIn(page: Page, phone: WebPhone): Promise<void>;
  /** Approves on the phone the change that the page waits for; `words`: what its title says. Answers the details that the phone has shown. */
  approve(page: Page, phone: WebPhone, words?: string): Promise<string>;
  /** A new visitor opens the link of an invitation. */
  openLink(link: unknown): Promise<Page>;
  /** What {@link look} has found in this test. */
  faults(): readonly string[];
}

/** What the tests of the portal do at its pages. */
export const portalVisit = (stage: Stage): PortalVisit => {
  let found: string[] = [];
  afterEach(() => {
    found = [];
  });
  const at = (page: Page, testid: string): Locator => page.getByTestId(testid);
  return {
    at,
    textAt: async (page, testid) => (await at(page, testid).textContent()) ?? '',
    look: async (page, screen) => {
      found.push(...(await accessibilityFaults(page, screen)));
      await page.setViewportSize({ width: 320, height: 640 });
      found.push(...(await layoutFaults(page, `${screen}, 320`)));
    },
    logIn: async (page, phone) => {
      await at(page, 'log-in').click();
      await page.locator('html[data-state="WAITING"]').waitFor();
      await phone.paste((await at(page, 'open-app').getAttribute('href')) ?? '');
      await phone.confirm();
      await at(page, 'log-out').waitFor();
    },
    approve: async (page, phone, words) => {
      const place = at(page, 'approval');
      await place.waitFor();
      if (words !== undefined) await place.filter({ hasText: words }).waitFor();
      const code = await at(page, 'approval-code').textContent();
      await phone.openPushed();
      const details = await phone.at('details').textContent();
      await phone.confirm(code);
      await place.waitFor({ state: 'detached' });
      return details ?? '';
    },
    openLink: async (link) => (await stage.visitor()).open(String(link)),
    faults: () => found,
  };
};
