/** The service's time, so that countdowns and proofs are right even where the local clock is wrong. */
export class ServerClock {
  private offsetMs = 0;

  constructor(private readonly localNow: () => number = Date.now) {}

  /** Epoch milliseconds. */
  now(): number {
    return this.localNow() + this.offsetMs;
  }

  /** @param serverNow epoch milliseconds; differences below 2 s are ignored, since whole seconds and the network explain them */
  learn(serverNow: number): void {
    if (!Number.isFinite(serverNow)) return;
    const offset = serverNow - this.localNow();
    if (Math.abs(offset - this.offsetMs) > 2000) this.offsetMs = Math.abs(offset) > 2000 ? offset : 0;
  }

  /** Learns from the `Date` header, which pages of other origins cannot read. */
  learnFrom(response: Response): void {
    const date = response.headers.get('date');
    if (date !== null) this.learn(Date.parse(date));
  }
}
