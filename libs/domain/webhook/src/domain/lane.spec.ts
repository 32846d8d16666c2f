import type { ClientId } from '#kernel';

import type { Delivery } from './delivery.js';
import { nextInLane } from './lane.js';

const delivery = (deliveryId: string, attempts: number, nextAt: number): Delivery => ({
  deliveryId,
  clientId: 'c' as ClientId,
  message: { type: 'session.scanned', happenedAt: 0, data: { sessionId: 's' } },
  state: 'pending',
  attempts,
  tries: attempts,
  nextAt,
  changedAt: 0,
});
const next = (...lane: readonly Delivery[]): string | undefined => nextInLane(lane)?.deliveryId;

describe('the next delivery of a lane', () => {
  it('is none when none is pending', () => expect(next()).toBeUndefined());

  it('is the first one added, among first attempts, for any difference of the clocks', () => {
    expect(next(delivery('first', 0, 2_000), delivery('second', 0, 1_000))).toBe('first');
  });

  it('is the earliest one due, among retries', () => {
    expect(next(delivery('later', 1, 2_000), delivery('sooner', 2, 1_000))).toBe('sooner');
  });

  it('is a new message while the retries are not due', () => {
    expect(next(delivery('failed', 1, 1_251), delivery('new', 0, 1_000))).toBe('new');
    expect(next(delivery('failed', 1, 10_000), delivery('new', 0, 1_000))).toBe('new');
  });

  it.each([
    ['before', 900],
    ['a moment after', 1_200],
    ['a quarter of a second after', 1_250],
  ])('is a retry that is due %s the new message', (_, at) => {
    expect(next(delivery('failed', 1, at), delivery('new', 0, 1_000))).toBe('failed');
  });

  it('exists while a delivery is pending: a new message and a retry do not wait for each other', () => {
    const lane = [delivery('first', 0, 2_000), delivery('second', 0, 1_000), delivery('failed', 1, 1_500)];
    expect(next(...lane)).toBe('failed');
    expect(next(...lane.slice(0, 2))).toBe('first');
  });
});
