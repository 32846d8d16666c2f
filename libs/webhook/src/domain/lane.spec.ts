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

describe('the turn in a lane', () => {
  it('is nobody’s when nothing is under way', () => expect(next()).toBeUndefined());

  it('goes by addition among those never tried, whatever the clocks of the processes said', () => {
    expect(next(delivery('first', 0, 2_000), delivery('second', 0, 1_000))).toBe('first');
  });

  it('goes by time among those that are tried again', () => {
    expect(next(delivery('later', 1, 2_000), delivery('sooner', 2, 1_000))).toBe('sooner');
  });

  it('is that of a new message while the others wait for their time', () => {
    expect(next(delivery('failed', 1, 10_000), delivery('new', 0, 1_000))).toBe('new');
  });

  it.each([
    ['has come', 900],
    ['is about to come', 1_200],
  ])('is that of a retry whose time %s before the new message did', (_, at) => {
    expect(next(delivery('failed', 1, at), delivery('new', 0, 1_000))).toBe('failed');
  });

  it('is always somebody’s: a new message and a retry never wait for each other', () => {
    const lane = [delivery('first', 0, 2_000), delivery('second', 0, 1_000), delivery('failed', 1, 1_500)];
    expect(next(...lane)).toBe('failed');
    expect(next(...lane.slice(0, 2))).toBe('first');
  });
});
