import { pause, type Staff } from '../../support/index.js';
import type { BusTap } from './bus-tap.js';
import { busViolations, type StoredSession, violations } from './checker.js';
import { Journal } from './journal.js';
import { type KnownSession, storedSessions } from './stored-sessions.js';
import { LONGEST_THOUGHT_OF_SEVERAL, SteadyLoad } from './steady-load.js';

/** Milliseconds that the bus may lag behind once everything is up again. */
const LAG = 60_000;

/** The requests of one drill, and the check that the promises held. */
export class History {
  readonly journal = new Journal();
  readonly load = new SteadyLoad(this.journal, LONGEST_THOUGHT_OF_SEVERAL);
  /** Sessions besides those of the load. */
  readonly others: KnownSession[] = [];
  /** The service's last answer. */
  stored: ReadonlyMap<string, StoredSession> = new Map();

  constructor(
    private readonly staff: Staff,
    private readonly tap: BusTap,
  ) {}

  get sessions(): readonly KnownSession[] {
    return [...this.load.attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : [])), ...this.others];
  }

  /**
   * Contradictions between the store, the bus and the answers to clients: I1 to I4 and I7, and refusals without a cause. Waits for
   * the bus. Call it when the load has ended and the sessions no longer change.
   */
  async violations(): Promise<readonly string[]> {
    this.stored = await storedSessions(this.staff, this.sessions);
    const found = [...this.load.refusals, ...violations(this.journal, this.stored)];
    for (const giveUpAt = performance.now() + LAG; ; await pause(500)) {
      const onBus = busViolations(this.stored, await this.tap.read());
      if (onBus.length === 0 || performance.now() > giveUpAt) return [...found, ...onBus];
    }
  }
}
