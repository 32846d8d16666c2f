import type { ReadyRequest } from '#clients/device';
import type { Reply } from '#web-page/browser';
import type { OpenRequest } from './open-request.js';

/** A proof is valid for a minute; a new one this often is always fresh enough. */
const REFRESH_MS = 30_000;

/**
 * Declines a request when the page is left while it shows it. A page that is being closed has no time to sign anything, so the
 * message is prepared beforehand and renewed. A browser may still lose the message: the next page of the same tab then asks for the session
 * that was left, and declines it by {@link declineLeft}.
 */
export class LeaveNotice {
  private ready: ReadyRequest | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private watch = 0;

  constructor(
    private readonly send: (request: ReadyRequest) => void,
    private readonly openRequest: OpenRequest,
  ) {}

  /** Declines the session that the last page of this tab left. To decline it twice is safe. */
  async declineLeft(decline: (sessionId: string) => Promise<Reply<unknown>>): Promise<void> {
    const sessionId = this.openRequest.read();
    if (sessionId === undefined) return;
    const { kind } = await decline(sessionId);
    if (kind !== 'UNREACHABLE' && this.openRequest.read() === sessionId) this.openRequest.clear();
  }

  async arm(sessionId: string, make: () => Promise<ReadyRequest>): Promise<void> {
    this.stop();
    this.openRequest.save(sessionId);
    const watch = this.watch;
    const prepare = async (): Promise<void> => {
      const ready = await make();
      if (watch === this.watch) this.ready = ready;
    };
    this.timer = setInterval(() => void prepare(), REFRESH_MS);
    await prepare();
  }

  /** Forgets the request: its person has decided, or it has ended. */
  disarm(): void {
    this.stop();
    this.openRequest.clear();
  }

  /** Sends the prepared message. Answers false when there was none. */
  leave(): boolean {
    const { ready } = this;
    this.stop();
    if (ready === undefined) return false;
    this.send(ready);
    return true;
  }

  private stop(): void {
    this.watch += 1;
    this.ready = undefined;
    clearInterval(this.timer);
  }
}
