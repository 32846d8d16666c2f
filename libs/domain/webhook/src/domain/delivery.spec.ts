import type { ClientId } from '#kernel';

import { type Delivery, evolveDelivery, laneOf, retriedAt } from './delivery.js';
import type { DeliveryEnd, DeliveryEvent } from './delivery.events.js';

const message = { type: 'session.completed', happenedAt: 1, data: { sessionId: 's' } };
const facts = { deliveryId: 'd', clientId: 'c' as ClientId, message };
const added: DeliveryEvent = { type: 'DeliveryAdded', data: { at: 10, ...facts } };
const pending: Delivery = { ...facts, state: 'pending', attempts: 0, tries: 0, nextAt: 10, changedAt: 10 };
const attempted = (attempt: number, outcome: { end?: DeliveryEnd; nextAt?: number } = {}): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { at: 20, deliveryId: 'd', attempt, ...outcome },
});
const ended: DeliveryEvent = { type: 'DeliveryEnded', data: { at: 30, deliveryId: 'd', end: 'superseded' } };
const failed: Delivery = { ...pending, state: 'exhausted', attempts: 3, tries: 3, nextAt: 20, changedAt: 20 };
const retried = retriedAt(40, failed);

describe('a delivery', () => {
  it('is due when it is added, once', () => {
    expect(evolveDelivery(undefined, added)).toEqual(pending);
    expect(evolveDelivery(pending, added)).toBeUndefined();
  });

  it('is due again after an attempt that failed', () => {
    expect(evolveDelivery(pending, attempted(1, { nextAt: 25 }))).toEqual({ ...pending, attempts: 1, tries: 1, nextAt: 25, changedAt: 20 });
  });

  it('ends with its last attempt, or without one', () => {
    const succeeded = { ...pending, state: 'succeeded', attempts: 1, tries: 1, nextAt: 20, changedAt: 20 };
    expect(evolveDelivery(pending, attempted(1, { end: 'succeeded' }))).toEqual(succeeded);
    expect(evolveDelivery(pending, ended)).toEqual({ ...pending, state: 'superseded', changedAt: 30 });
  });

  it.each([0, 2])('does not take the attempt %i after none: another process has recorded first', (attempt) => {
    expect(evolveDelivery(pending, attempted(attempt))).toBeUndefined();
  });

  it('that was not added takes no attempt and no end', () => {
    for (const event of [attempted(1), ended]) expect(evolveDelivery(undefined, event)).toBeUndefined();
  });

  it('that has ended takes no further attempt and no second end', () => {
    for (const event of [attempted(4), ended]) expect(evolveDelivery(failed, event)).toBeUndefined();
  });
});

describe('a retry', () => {
  it('makes an ended delivery due, and begins its schedule anew', () => {
    expect(evolveDelivery(failed, retried)).toEqual({ ...failed, state: 'pending', tries: 0, nextAt: 40, changedAt: 40 });
  });

  it('of a pending delivery changes nothing', () => expect(evolveDelivery(pending, retried)).toBeUndefined());

  it('of a delivery whose addition has expired begins it by the facts that the retry repeats', () => {
    const event = retriedAt(50, failed);
    expect(event).toEqual({ type: 'DeliveryRetried', data: { at: 50, deliveryId: 'd', again: { clientId: 'c', message, attempts: 3 } } });
    expect(evolveDelivery(undefined, event)).toEqual({ ...facts, state: 'pending', attempts: 3, tries: 0, nextAt: 50, changedAt: 50 });
  });
});

describe('the lane of a delivery', () => {
  it('is its session, or the delivery itself where it announces none', () => {
    expect(laneOf(pending)).toBe('s');
    expect(laneOf({ ...pending, message: { ...message, data: { endpointId: 'e' } } })).toBe('d');
  });
});
