import type { Locator, Page } from 'playwright-core';

/** No sequence and no repetition: the phone takes no other. */
export const PIN = '2580';
export const WRONG_PIN = '2581';

/** The web phone as its holder uses it. */
export class WebPhone {
  constructor(readonly page: Page) {}

  at(testid: string): Locator {
    return this.page.getByTestId(testid);
  }

  /** Waits for a screen, by its name. */
  screen(state: string): Promise<void> {
    return this.page.locator(`main[data-state="${state}"]`).waitFor();
  }

  async title(): Promise<string> {
    return (await this.at('title').textContent()) ?? '';
  }

  /** From the activation link to the home screen. */
  async setUp(): Promise<void> {
    await this.screen('ENROL_CODE');
    await this.at('next').click();
    await this.acceptHolder();
    await this.enterPin();
    await this.screen('ENROL_PIN_AGAIN');
    await this.enterPin();
    await this.page.locator('main:is([data-state="HOME"], [data-state="PREVIEW"])').waitFor();
  }

  /** Accepts the person of the activation code, and continues. */
  async acceptHolder(): Promise<void> {
    await this.screen('ENROL_HOLDER');
    await this.at('continue').click();
    await this.screen('ENROL_PIN');
  }

  async enterPin(pin = PIN): Promise<void> {
    await this.at('pin').fill(pin);
    await this.at('pin').press('Enter');
  }

  /** The same by the keys on the screen. */
  async tapPin(pin = PIN): Promise<void> {
    for (const digit of pin) await this.at(`digit-${digit}`).click();
    await this.at('pin-submit').click();
  }

  /** Opens a request by its link, and continues with it. */
  async paste(link: string): Promise<void> {
    await this.enterLink(link);
    await this.goOn();
  }

  /** Opens a link; the phone shows who asks. */
  async enterLink(link: string): Promise<void> {
    await this.screen('HOME');
    await this.at('link').fill(link);
    await this.at('open-link').click();
    await this.screen('PREVIEW');
  }

  /** Continues with the request of the link that was opened. */
  async goOn(): Promise<void> {
    await this.at('continue').click();
    await this.screen('CONSENT');
  }

  /** Opens the request that was pushed to the phone, from wherever the phone is. */
  async openPushed(): Promise<void> {
    await this.#goHome();
    await this.at('inbox-open').first().click();
    await this.screen('CONSENT');
  }

  /** What the first request in the inbox asks for. */
  async pushedWords(): Promise<string | null> {
    await this.#goHome();
    return this.at('inbox-item').first().locator('span').textContent();
  }

  async #goHome(): Promise<void> {
    const done = this.at('done');
    if (await done.isVisible()) await done.click();
    await this.screen('HOME');
  }

  /** @param code the number on the waiting page, of a pushed request */
  async confirm(code?: string | null): Promise<void> {
    await this.screen('CONSENT');
    await this.at('confirm').click();
    if (typeof code === 'string') await this.at(`code-${code}`).click();
    await this.screen('PIN');
    await this.enterPin();
    await this.screen('OUTCOME');
  }

  async decline(): Promise<void> {
    await this.at('decline').click();
    await this.screen('OUTCOME');
  }
}
