import { pause, type RelyingParty } from '../../conformance/support/index.js';
import type { Journal } from './journal.js';
import type { Known } from './recorded.js';

/** So many clients' requests are under way at once. */
const WIDTH = 48;

/** Begins so many logins, as fast as it goes, and never asks about them again. */
export const beginAndForget = async (clients: readonly RelyingParty[], count: number, journal: Journal): Promise<readonly Known[]> => {
  const all: Known[] = [];
  let begun = 0;
  const begin = async (client: RelyingParty): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const { sessionId } = await client.login();
      journal.record({ command: 'create', sessionId, outcome: 'ok' });
      all.push({ client, sessionId });
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, (_, at) => begin(clients[at % clients.length]!)));
  return all;
};

/** Begins one login after the other, some each second, until it is stopped, and never asks about them again. */
export class Forgetful {
  readonly #all: Known[] = [];
  #running = true;
  readonly #beginning: Promise<void>;

  constructor(client: RelyingParty, journal: Journal, everyMs: number) {
    this.#beginning = this.#begin(client, journal, everyMs);
  }

  async stop(): Promise<readonly Known[]> {
    this.#running = false;
    await this.#beginning;
    return this.#all;
  }

  async #begin(client: RelyingParty, journal: Journal, everyMs: number): Promise<void> {
    for (; this.#running; await pause(everyMs)) {
      const login = await client.login().catch(() => undefined);
      if (!login) continue;
      this.#all.push({ client, sessionId: login.sessionId });
      journal.record({ command: 'create', sessionId: login.sessionId, outcome: 'ok' });
    }
  }
}
