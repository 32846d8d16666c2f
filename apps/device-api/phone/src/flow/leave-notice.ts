import type { ReadyRequest } from '#device-client';

/** A proof is valid for a minute; a new one this often is always fresh enough. */
const REFRESH_MS = 30_000;

/**
 * Declines a request when the page is left while it shows it. A page that is being closed has no time to sign anything, so the
 * message is prepared beforehand and renewed.
 */
export class LeaveNotice {
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

  /** Sends the prepared message. Answers false when there was none. */
  leave(): boolean {
    const { ready } = this;
    this.disarm();
    if (ready === undefined) return false;
    this.send(ready);
    return true;
  }
}
