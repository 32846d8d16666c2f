import type { Visitor } from './visitor.js';
import { WebPhone } from './web-phone.js';

interface HeldPhone {
  readonly holder: Visitor;
  readonly phone: WebPhone;
}

/** Milliseconds in which a phone of an earlier test has to show its home screen. */
const HOME_LIMIT = 10_000;

/**
 * Phones that tests hand on to each other: setting one up costs a person, a code, keys and two PINs. One that is locked or removed leaves the pool.
 * A phone keeps its list of earlier requests.
 */
export class PhonePool {
  readonly holders: Visitor[] = [];
  #free: Visitor[] = [];

  constructor(
    private readonly setUp: () => Promise<HeldPhone>,
    private readonly address: () => string,
  ) {}

  /** A phone at its home screen, in a window of its own. */
  async take(): Promise<WebPhone> {
    for (let holder = this.#free.pop(); holder; holder = this.#free.pop()) {
      const phone = new WebPhone(await holder.open(`${this.address()}/`));
      if (await isAsNew(phone)) return phone;
      this.holders.splice(this.holders.indexOf(holder), 1);
      await holder.context.close();
    }
    const { holder, phone } = await this.setUp();
    this.holders.push(holder);
    return phone;
  }

  /** After a test: routes, sizes and looks of its windows go with them. */
  async clear(): Promise<void> {
    await Promise.all(
      this.holders.map(async (holder) => {
        await Promise.all(holder.context.pages().map((page) => page.close()));
        await holder.offline(false);
      }),
    );
    this.#free = [...this.holders];
  }
}

const isAsNew = async (phone: WebPhone): Promise<boolean> => {
  const ready = phone.page.locator('main[data-state="HOME"] .state.ready');
  const up = await ready.waitFor({ timeout: HOME_LIMIT }).catch(() => false);
  return up !== false && (await phone.at('device-pin').textContent()) === 'Set';
};
