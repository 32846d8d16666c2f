import { describe, expect, it } from '@jest/globals';

import { type Delivery, deliveryViolations, orderViolations, type Seen, type RequiredMessage } from './support/webhook-checker.js';

const SCANNED: RequiredMessage = { type: 'session.scanned', sessionId: 's', sequence: 1 };
const CONFIRMED: RequiredMessage = { type: 'session.confirmed', sessionId: 's', sequence: 2 };
const delivery = (required: RequiredMessage, state = 'succeeded', deliveryId = required.type): Delivery => ({
  deliveryId,
  type: required.type,
  sessionId: required.sessionId,
  state,
  attempts: [],
});
const seen = (required: RequiredMessage, changes: Partial<Seen> = {}): Seen => ({ ...required, id: required.type, taken: true, ...changes });
const check = (deliveries: Delivery[], received: Seen[], required = [SCANNED, CONFIRMED]): string[] =>
  deliveryViolations(required, { name: 'e', deliveries, received }).map((line) => line.slice(0, 2));

describe('the checker of deliveries', () => {
  const both = [delivery(SCANNED), delivery(CONFIRMED)];
  const arrived = [seen(SCANNED), seen(CONFIRMED)];

  it('accepts messages that arrived once or twice', () => {
    expect(check(both, arrived)).toEqual([]);
    expect(check(both, [...arrived, ...arrived])).toEqual([]);
  });

  it('accepts messages that were given up, received or not, and messages about other sessions', () => {
    expect(check([delivery(SCANNED, 'lapsed'), delivery(CONFIRMED, 'disabled')], [seen(SCANNED, { taken: false })])).toEqual([]);
    const ping: Delivery = { deliveryId: 'p', type: 'endpoint.ping', state: 'pending', attempts: [] };
    expect(
      check([...both, ping, delivery({ ...SCANNED, sessionId: 'other' }, 'pending')], [...arrived, seen({ ...SCANNED, sessionId: 'other' })]),
    ).toEqual([]);
  });

  it.each<[string, string, Delivery[], Seen[]]>([
    ['I5', 'an event has no delivery', [delivery(SCANNED)], arrived],
    ['I5', 'an event has two', [...both, delivery(SCANNED, 'exhausted', 'again')], arrived],
    ['I5', 'a delivery has not ended', [delivery(SCANNED), delivery(CONFIRMED, 'pending')], arrived],
    ['I5', 'a successful message was not seen', both, [seen(SCANNED)]],
    ['I5', 'a successful message was refused', both, [seen(SCANNED), seen(CONFIRMED, { taken: false })]],
    ['I6', 'a message tells of an event that is not stored', both, [...arrived, seen({ ...SCANNED, type: 'session.expired' })]],
    ['I6', 'a message has another sequence', both, [seen(SCANNED), seen(CONFIRMED, { sequence: 3 })]],
    ['I6', 'a message has an id of its own', both, [...arrived, seen(CONFIRMED, { id: 'another' })]],
    ['I6', 'a delivery tells of an event that is not stored', [...both, delivery({ ...SCANNED, type: 'session.expired' }, 'lapsed')], arrived],
  ])('%s: sees that %s', (invariant, _, deliveries, received) => {
    expect(check(deliveries, received)).toContain(invariant);
  });

  it('reports a message that was overtaken, unless it is a repetition', () => {
    expect(orderViolations({ name: 'e', received: [seen(SCANNED), seen(CONFIRMED), seen(SCANNED)] })).toEqual([]);
    expect(orderViolations({ name: 'e', received: [seen(CONFIRMED), seen(SCANNED)] })).toHaveLength(1);
  });
});
