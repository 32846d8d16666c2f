import { eventually } from '#testkit/kernel/eventually';

import { pause, type Phone, type RelyingParty, type SigningClient, type Staff } from '../../support/index.js';
import { AbandonedLogins } from './abandoned-logins.js';
import type { FailureRecordingService } from './failure-recording-service.js';
import { Journal } from './journal.js';
import { SteadySigning } from './signing-load.js';
import { LONGEST_THOUGHT_OF_SEVERAL, SteadyLoad } from './steady-load.js';
import type { KnownSession } from './stored-sessions.js';

interface Actors {
  readonly service: FailureRecordingService;
  readonly staff: Staff;
  readonly client: RelyingParty;
  readonly signingClient: SigningClient;
  /** All but the last log in, the last one signs. */
  readonly phones: readonly Phone[];
  /** The subject whose phone reads no inbox. */
  readonly absent: string;
}

/** Users of every service, from the constructor until `stop`: logins, signatures, abandoned pushes, and requests of staff. */
export class SteadyUsers {
  readonly journal = new Journal();
  readonly signing = new SteadySigning(LONGEST_THOUGHT_OF_SEVERAL);
  readonly #load = new SteadyLoad(this.journal, LONGEST_THOUGHT_OF_SEVERAL);
  readonly #abandoned: AbandonedLogins;
  readonly #stopping = new AbortController();
  readonly #asking: Promise<void>;

  constructor(private readonly actors: Actors) {
    const { client, signingClient, phones, absent } = actors;
    this.#abandoned = new AbandonedLogins(client, absent, this.journal, 4_000);
    this.#asking = this.#ask();
    for (const phone of phones.slice(0, -1)) this.#load.add(client, phone);
    this.signing.add(signingClient, phones.at(-1)!);
  }

  /** The requests that failed or were refused. */
  get failures(): readonly string[] {
    return [...this.actors.service.failures, ...this.#load.failures, ...this.#load.refusals, ...this.signing.refusals];
  }

  /** The sessions of all logins that are complete so far. */
  get loggedIn(): readonly string[] {
    return this.#load.attempts.flatMap(({ login, subjectId }) => (login && subjectId !== undefined ? [login.sessionId] : []));
  }

  /** Resolves when this many more logins have ended; rejects after `within` milliseconds. */
  async goOn(logins: number, within = 120_000): Promise<void> {
    const target = this.#load.logins + logins;
    await eventually(() => this.#load.logins >= target, { what: 'logins go on', within });
  }

  /** The sessions, once every user has finished. */
  async stop(): Promise<readonly KnownSession[]> {
    const { client, signingClient } = this.actors;
    this.#stopping.abort();
    await Promise.all([this.#load.stop(), this.signing.stop(), this.#asking]);
    return [
      ...(await this.#abandoned.stop()),
      ...this.#load.attempts.flatMap(({ login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
      ...this.signing.attempts.flatMap(({ signing }) =>
        signing ? [{ client: signingClient.client, sessionId: signing.sessionId, isSigning: true }] : [],
      ),
    ];
  }

  async #ask(): Promise<void> {
    const { staff, client } = this.actors;
    for (; !this.#stopping.signal.aborted; await pause(1_000)) await staff.call('GET', `/clients/${client.clientId}`).catch(() => undefined);
  }
}
