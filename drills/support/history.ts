import { pause, type Staff } from '../../conformance/support/index.js';
import type { BusTap } from './bus-tap.js';
import { busViolations, type Recorded, violations } from './checker.js';
import { Journal } from './journal.js';
import { type Known, recorded } from './recorded.js';
import { SteadyLoad } from './steady-load.js';

/** Milliseconds that the bus may lag behind once everything is up again. */
const LAG = 60_000;

/** What one drill asks of the service, and whether afterwards all is as promised. */
export class History {
  readonly journal = new Journal();
  readonly load = new SteadyLoad(this.journal);
  /** Sessions besides those of the load. */
  readonly others: Known[] = [];
  /** As the service last told them. */
  recorded: ReadonlyMap<string, Recorded> = new Map();

  constructor(
    private readonly staff: Staff,
    private readonly tap: BusTap,
  ) {}

  get sessions(): readonly Known[] {
    return [...this.load.attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : [])), ...this.others];
  }

  /**
   * Where the store, the bus and what clients were told contradict one another: I1 to I4 and I7, and refusals that nothing explains. The bus is
   * waited for. To be asked when the load has ended and the sessions rest.
   */
  async violations(): Promise<readonly string[]> {
    this.recorded = await recorded(this.staff, this.sessions);
    const found = [...this.load.refusals, ...violations(this.journal, this.recorded)];
    for (const giveUpAt = performance.now() + LAG; ; await pause(500)) {
      const onBus = busViolations(this.recorded, await this.tap.read());
      if (onBus.length === 0 || performance.now() > giveUpAt) return [...found, ...onBus];
    }
  }
}
