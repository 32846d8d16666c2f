import { eventually } from '#testkit/kernel/eventually';

import { dispatcherFixture } from './dispatcher.fixture.js';
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

/** Moves the clock to the exact time of each attempt. Answers when each attempt was made, and for when the next one was scheduled. */
const followed = async (
  endpointId: Parameters<typeof dispatcher.deliveries>[0],
  attempts: number,
): Promise<{ made: number[]; scheduled: (number | undefined)[] }> => {
  const scheduled: (number | undefined)[] = [];
  for (let count = 1; ; count++) {
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === count);
    const [delivery] = await dispatcher.deliveries(endpointId);
    scheduled.push(delivery?.nextAt);
    if (count === attempts) return { made: delivery?.attempts.map(({ at }) => at) ?? [], scheduled };
    dispatcher.clock.advance((delivery?.nextAt ?? 0) - dispatcher.clock.now());
  }
};
const waits = (made: readonly number[]): number[] => made.slice(1).map((at, index) => at - made[index]!);

const cancelled = async (): Promise<void> => {
  const sessionId = await dispatcher.session();
  await dispatcher.sessions.append(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
};

describe('the schedules', () => {
  it.each([
    ['standard', STANDARD, 'exhausted', cancelled],
    ['interactive', INTERACTIVE, 'lapsed', async () => dispatcher.sessions.scan(await dispatcher.session())],
  ] as const)('%s: attempts are made at their exact time, each wait within 20 % of its step', async (_, steps, end, happens) => {
    receiver.behaviour = answering(500);
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await happens();
    const { made, scheduled } = await followed(endpointId, steps.length);
    // The clock stands at the scheduled time: an attempt made too soon would show an earlier one.
    expect(made.slice(1)).toEqual(scheduled.slice(0, -1));
    waits(made).forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(0.8 * steps[index + 1]!);
      expect(wait).toBeLessThanOrEqual(1.2 * steps[index + 1]!);
    });
    await dispatcher.settled(endpointId, [end]);
    expect(receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(made.map((at) => Math.floor(at / 1000)));
  });

  it('keep Retry-After in full, and their own step where that is longer', async () => {
    receiver.behaviour = answering(429, { 'retry-after': '3600' });
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    const { made } = await followed(endpointId, STANDARD.length);
    expect(waits(made)).toEqual(STANDARD.slice(1).map((step) => Math.max(HOUR, step)));
  });
});
