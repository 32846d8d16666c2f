/** The service's time as this browser knows it: countdowns and proofs are right even where the local clock is not. */
export class ServerClock {
  private offsetMs = 0;

  constructor(private readonly localNow: () => number = Date.now) {}

  /** Epoch milliseconds. */
  now(): number {
    return this.localNow() + this.offsetMs;
  }

  /** @param serverNow epoch milliseconds; differences below the 2 s that whole seconds and the way there cost are left alone */
  learn(serverNow: number): void {
    if (!Number.isFinite(serverNow)) return;
    const offset = serverNow - this.localNow();
    if (Math.abs(offset - this.offsetMs) > 2000) this.offsetMs = Math.abs(offset) > 2000 ? offset : 0;
  }

  /** Learns from the `Date` header, which other origins do not show. */
  learnFrom(response: Response): void {
    const date = response.headers.get('date');
    if (date !== null) this.learn(Date.parse(date));
  }
}
