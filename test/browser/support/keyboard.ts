import type { Page } from 'playwright-core';

const MOST = 40;

/** A person who uses only the keyboard. Every focused element must be visible. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Tabs to the element of this selector, in the order of the page. */
  async to(selector: string): Promise<void> {
    const stops: string[] = [];
    for (let step = 0; step < MOST; step++) {
      if (await this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return this.#mustBeSeen(selector);
      await this.page.keyboard.press('Tab');
      stops.push(await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80) ?? ''));
    }
    throw new Error(`no way to ${selector} by Tab; it stopped at\n${stops.join('\n')}`);
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  async activate(selector: string, key = 'Enter'): Promise<void> {
    await this.to(selector);
    await this.press(key);
  }

  /** WCAG 2.2, 2.4.7. */
  async #mustBeSeen(selector: string): Promise<void> {
    const seen = await this.page.evaluate(() => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    });
    if (!seen) throw new Error(`the focus on ${selector} is not visible`);
  }
}
