/** The service's time, so that countdowns and proofs are right even where the local clock is wrong. */
export class ServerClock {
  private offsetMs = 0;
  private learned = false;

  constructor(private readonly localNow: () => number = Date.now) {}

  /** Epoch milliseconds. */
  now(): number {
    return this.localNow() + this.offsetMs;
  }

  /** As {@link now}; undefined until the service has told its time, for what must not be shown by the local clock. */
  knownNow(): number | undefined {
    return this.learned ? this.now() : undefined;
  }

  /** @param serverNow epoch milliseconds; differences below 2 s are ignored, since whole seconds and the network explain them */
  learn(serverNow: number): void {
    if (!Number.isFinite(serverNow)) return;
    this.learned = true;
    const offset = serverNow - this.localNow();
    if (Math.abs(offset - this.offsetMs) > 2000) this.offsetMs = Math.abs(offset) > 2000 ? offset : 0;
  }

  /** Learns from the `Date` header. A page of another origin reads it where the service exposes it (Fetch, 3.3.3), as ours do. */
  learnFrom(response: Response): void {
    const date = response.headers.get('date');
    if (date !== null) this.learn(Date.parse(date));
  }
}
