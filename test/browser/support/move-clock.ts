import type { Page } from 'playwright-core';

/** Moves the clock of each page of the window, before its own scripts run. */
export const moveClock = (page: Page, seconds: number): Promise<unknown> =>
  page.addInitScript((milliseconds) => {
    const Clock = Date;
    globalThis.Date = class extends Clock {
      constructor(...parts: []) {
        if (parts.length === 0) super(Clock.now() + milliseconds);
        else super(...parts);
      }

      static override now(): number {
        return Clock.now() + milliseconds;
      }
    } as DateConstructor;
  }, seconds * 1000);
