import { type Answer, Browser, pause, type Phone, type RelyingParty } from '../../support/index.js';

/** Seconds that each request asks to be held for. */
const WAIT = { prefer: 'wait=15' };

/** Long polls: of clients and browsers for a status, of phones for a login. Each is repeated as soon as it is answered. */
export class LongPolls {
  /** The requests that failed, and the answers other than 200. */
  readonly failures: string[] = [];
  /** Answered so far. */
  answers = 0;
  #running = true;
  readonly #waiting: Promise<void>[] = [];

  /** A client's server. */
  forClient(client: RelyingParty): void {
    this.#keepAsking(async () => {
      const login = await client.login();
      return () => client.status(login, WAIT, '?since=PENDING');
    });
  }

  /** The hosted page. */
  forBrowser(client: RelyingParty): void {
    this.#keepAsking(async () => {
      const { sessionId, handoffToken } = await client.login({ hosted_page: true });
      const browser = new Browser(client.service);
      await browser.claim(handoffToken);
      return () => browser.status(sessionId, WAIT);
    });
  }

  forPhone(phone: Phone): void {
    this.#keepAsking(async () => () => phone.pending(WAIT));
  }

  /** Resolves when the last ones are answered. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#waiting);
  }

  #keepAsking(begin: () => Promise<() => Promise<Answer>>): void {
    this.#waiting.push(this.#ask(begin).catch((error: unknown) => void this.failures.push(String(error))));
  }

  async #ask(begin: () => Promise<() => Promise<Answer>>): Promise<void> {
    for (let ask = await begin(); this.#running; await pause(50)) {
      const { status, json } = await ask();
      this.answers += 1;
      if (status !== 200) this.failures.push(`a held request was answered ${status}`);
      // Its time is up: the next one.
      if (json?.['status'] === 'EXPIRED') ask = await begin();
    }
  }
}
