import { dispatcherFixture, until } from './dispatcher.fixture.js';
import { answering, type Receiver } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STANDARD = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const INTERACTIVE = [0, SECOND, 3 * SECOND, 8 * SECOND, 20 * SECOND];

/** Goes from one attempt to the next, to the millisecond at which it is due; answers when each one was made, and when the one after it was promised. */
const followed = async (endpointId: Parameters<typeof dispatcher.deliveries>[0], attempts: number): Promise<{ made: number[]; promised: (number | undefined)[] }> => {
  const promised: (number | undefined)[] = [];
  for (let count = 1; ; count++) {
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === count);
    const [delivery] = await dispatcher.deliveries(endpointId);
    promised.push(delivery?.nextAt);
    if (count === attempts) return { made: delivery?.attempts.map(({ at }) => at) ?? [], promised };
    dispatcher.clock.advance((delivery?.nextAt ?? 0) - dispatcher.clock.now());
  }
};
const waits = (made: readonly number[]): number[] => made.slice(1).map((at, index) => at - made[index]!);

const cancelled = async (): Promise<void> => {
  const sessionId = await dispatcher.session();
  await dispatcher.world.happens(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
};

describe('the schedule', () => {
  it.each([
    ['of what has to arrive', STANDARD, 'exhausted', cancelled],
    ['of what somebody waits for', INTERACTIVE, 'lapsed', async () => dispatcher.world.scan(await dispatcher.session())],
  ] as const)('%s is kept to the millisecond, each wait within a fifth of its step', async (_, steps, end, happens) => {
    receiver.behaviour = answering(500);
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await happens();
    const { made, promised } = await followed(endpointId, steps.length);
    // The clock stands at the moment that was promised: an attempt made sooner would show an earlier time.
    expect(made.slice(1)).toEqual(promised.slice(0, -1));
    waits(made).forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(0.8 * steps[index + 1]!);
      expect(wait).toBeLessThanOrEqual(1.2 * steps[index + 1]!);
    });
    await dispatcher.settled(endpointId, [end]);
    expect(receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(made.map((at) => Math.floor(at / 1000)));
  });

  it('hears Retry-After between one and two steps', async () => {
    receiver.behaviour = answering(429, { 'retry-after': '3600' });
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    const { made } = await followed(endpointId, STANDARD.length);
    expect(waits(made)).toEqual(STANDARD.slice(1).map((step) => Math.min(Math.max(HOUR, step), 2 * step)));
  });
});
