import { pause, type RelyingParty } from '../../support/index.js';
import type { Journal } from './journal.js';
import type { KnownSession } from './stored-sessions.js';

/** So many clients' requests are under way at once. */
const WIDTH = 48;

/** Begins so many logins, as fast as possible, and makes no further request about them. */
export const abandonLogins = async (clients: readonly RelyingParty[], count: number, journal: Journal): Promise<readonly KnownSession[]> => {
  const all: KnownSession[] = [];
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

/**
 * Begins one login after the other until it is stopped, and makes no further request about them. They are pushed to a phone that never looks:
 * pushed sessions have a lifetime of their own, so that the logins of users who are slow on a busy machine need not end as soon as these.
 */
export class AbandonedLogins {
  readonly #all: KnownSession[] = [];
  #running = true;
  readonly #beginning: Promise<void>;

  constructor(client: RelyingParty, subjectId: string, journal: Journal, everyMs: number) {
    this.#beginning = this.#begin(client, subjectId, journal, everyMs);
  }

  async stop(): Promise<readonly KnownSession[]> {
    this.#running = false;
    await this.#beginning;
    return this.#all;
  }

  async #begin(client: RelyingParty, subjectId: string, journal: Journal, everyMs: number): Promise<void> {
    for (; this.#running; await pause(everyMs)) {
      const login = await client.login({ push: true, subject_id: subjectId }).catch(() => undefined);
      if (!login) continue;
      this.#all.push({ client, sessionId: login.sessionId });
      journal.record({ command: 'create', sessionId: login.sessionId, outcome: 'ok' });
    }
  }
}
