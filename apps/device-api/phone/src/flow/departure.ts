import type { ReadyRequest } from '../api/phone-api.js';

/** A proof is good for a minute; made anew this often it is always fresh enough. */
const REFRESH_MS = 30_000;

/**
 * Tells the service that the page was left while it asked. A page that is going away has no time to sign anything, so the
 * message lies ready all the while.
 */
export class Departure {
  private ready: ReadyRequest | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private watch = 0;

  constructor(private readonly send: (request: ReadyRequest) => void) {}

  async arm(make: () => Promise<ReadyRequest>): Promise<void> {
    this.disarm();
    const watch = this.watch;
    const prepare = async (): Promise<void> => {
      const ready = await make();
      if (watch === this.watch) this.ready = ready;
    };
    this.timer = setInterval(() => void prepare(), REFRESH_MS);
    await prepare();
  }

  disarm(): void {
    this.watch += 1;
    this.ready = undefined;
    clearInterval(this.timer);
  }

  /** Whether there was something to leave. */
  leave(): boolean {
    const { ready } = this;
    this.disarm();
    if (ready === undefined) return false;
    this.send(ready);
    return true;
  }
}
