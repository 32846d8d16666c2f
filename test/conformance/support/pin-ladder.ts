import { expectOk, nowInSeconds, type Phone, type RelyingParty, type TimeMachine } from '../../support/index.js';

/** A phone whose person enters wrong PINs, on a service whose clock moves. */
export class PinLadder {
  /** Seconds by which the service's clock is ahead. */
  #moved = 0;

  private constructor(
    private readonly time: TimeMachine,
    private readonly shop: RelyingParty,
    private readonly phone: Phone,
  ) {}

  static async begin(time: TimeMachine, shop: RelyingParty, phone: Phone): Promise<PinLadder> {
    const ladder = new PinLadder(time, shop, phone);
    ladder.#moved = (await ladder.#serviceNow()) - nowInSeconds();
    return ladder;
  }

  /** The statuses of three confirmations with a wrong PIN. */
  async threeWrong(): Promise<number[]> {
    const { sessionId } = await this.shop.scanned(this.phone);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await this.phone.confirm(sessionId, { pin: this.phone.wrongPin(i) })).status);
    return statuses;
  }

  /** Seconds until the lock ends; nothing for a lock without an end. */
  async lockedFor(): Promise<number | undefined> {
    const { lockedUntil } = expectOk(await this.phone.show());
    return lockedUntil === undefined ? undefined : (lockedUntil as number) - this.#moved - nowInSeconds();
  }

  async pass(seconds: number): Promise<void> {
    const before = await this.#serviceNow();
    await this.time.pass(seconds);
    this.#moved += (await this.#serviceNow()) - before;
  }

  async #serviceNow(): Promise<number> {
    const answer = await this.time.service.send({ method: 'GET', path: '/app/v1/device' });
    return (answer.json?.['payload'] as { now: number }).now;
  }
}
