import { type Clock, SystemClock } from '#kernel';

import { type EngineName, explainRefusal } from './explain-refusal.js';

/** Milliseconds between two lines with one reason. */
const REPEAT_INTERVAL = 60_000;

/**
 * Tells why an engine refuses this service: each reason once, and once more when calls have succeeded in between, after a minute at the earliest. So a
 * cluster of which one node refuses does not fill the log.
 */
export class RefusalReport {
  readonly #told = new Map<string, { readonly at: number; isOver: boolean }>();

  constructor(
    private readonly engine: EngineName,
    /** Called with a line for the log. */
    private readonly tell: (reason: string) => void,
    private readonly clock: Clock = new SystemClock(),
  ) {}

  /** Answers the reason; undefined for an error that is no refusal. */
  failed(error: unknown): string | undefined {
    const reason = explainRefusal(error, this.engine);
    if (reason === undefined) return undefined;
    const last = this.#told.get(reason);
    const at = this.clock.monotonic();
    if (last && !(last.isOver && at - last.at >= REPEAT_INTERVAL)) return reason;
    this.#told.set(reason, { at, isOver: false });
    this.tell(reason);
    return reason;
  }

  succeeded(): void {
    for (const told of this.#told.values()) told.isOver = true;
  }
}
