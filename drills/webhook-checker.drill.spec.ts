import { describe, expect, it } from '@jest/globals';

import { type Delivery, deliveryViolations, orderViolations, type Seen, type Told } from './support/webhook-checker.js';

const SCANNED: Told = { type: 'session.scanned', sessionId: 's', sequence: 1 };
const CONFIRMED: Told = { type: 'session.confirmed', sessionId: 's', sequence: 2 };
const delivery = (told: Told, state = 'succeeded', deliveryId = told.type): Delivery => ({ deliveryId, type: told.type, sessionId: told.sessionId, state, attempts: [] });
const seen = (told: Told, changes: Partial<Seen> = {}): Seen => ({ ...told, id: told.type, taken: true, ...changes });
const check = (deliveries: Delivery[], received: Seen[], told = [SCANNED, CONFIRMED]): string[] =>
  deliveryViolations(told, { name: 'e', deliveries, received }).map((line) => line.slice(0, 2));

describe('the checker of deliveries', () => {
  const both = [delivery(SCANNED), delivery(CONFIRMED)];
  const arrived = [seen(SCANNED), seen(CONFIRMED)];

  it('has nothing against messages that arrived, once or twice', () => {
    expect(check(both, arrived)).toEqual([]);
    expect(check(both, [...arrived, ...arrived])).toEqual([]);
  });

  it('has nothing against messages that were given up, seen or not, nor against what is about something else', () => {
    expect(check([delivery(SCANNED, 'lapsed'), delivery(CONFIRMED, 'disabled')], [seen(SCANNED, { taken: false })])).toEqual([]);
    const ping: Delivery = { deliveryId: 'p', type: 'endpoint.ping', state: 'pending', attempts: [] };
    expect(check([...both, ping, delivery({ ...SCANNED, sessionId: 'other' }, 'pending')], [...arrived, seen({ ...SCANNED, sessionId: 'other' })])).toEqual([]);
  });

  it.each<[string, string, Delivery[], Seen[]]>([
    ['I5', 'an event has no delivery', [delivery(SCANNED)], arrived],
    ['I5', 'an event has two', [...both, delivery(SCANNED, 'exhausted', 'again')], arrived],
    ['I5', 'a delivery has not ended', [delivery(SCANNED), delivery(CONFIRMED, 'pending')], arrived],
    ['I5', 'what succeeded was not seen', both, [seen(SCANNED)]],
    ['I5', 'what succeeded was refused', both, [seen(SCANNED), seen(CONFIRMED, { taken: false })]],
    ['I6', 'a message tells of what is not stored', both, [...arrived, seen({ ...SCANNED, type: 'session.expired' })]],
    ['I6', 'a message has another sequence', both, [seen(SCANNED), seen(CONFIRMED, { sequence: 3 })]],
    ['I6', 'a message has an id of its own', both, [...arrived, seen(CONFIRMED, { id: 'another' })]],
    ['I6', 'a delivery tells of what is not stored', [...both, delivery({ ...SCANNED, type: 'session.expired' }, 'lapsed')], arrived],
  ])('%s: sees that %s', (invariant, _, deliveries, received) => {
    expect(check(deliveries, received)).toContain(invariant);
  });

  it('sees a message that was overtaken, but for a repetition', () => {
    expect(orderViolations({ name: 'e', received: [seen(SCANNED), seen(CONFIRMED), seen(SCANNED)] })).toEqual([]);
    expect(orderViolations({ name: 'e', received: [seen(CONFIRMED), seen(SCANNED)] })).toHaveLength(1);
  });
});
