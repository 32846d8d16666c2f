import { describe, expect, it } from '@jest/globals';

import { NamedSchemas } from './named-schemas.js';
import type { Schema } from './schema.js';

const STATE: Schema = { type: 'string', enum: ['PAID', 'OPEN'] };
const orderWith = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const schemas = (...names: [string, string][]) => new NamedSchemas(new Map(names));

describe('the named schemas', () => {
  it('have one name for each object and each list of values, with the description at its place', () => {
    const named = schemas(['Order.state', 'OrderState'], ['Order.lines[]', 'OrderLine'], ['OrderLine.state', 'OrderState']);
    const line = { type: 'object', properties: { state: STATE } } as const;
    const order = orderWith({ state: { ...STATE, description: 'Of today.' } as Schema, lines: { type: 'array', items: line } });
    expect(named.named('Order', order)).toEqual({ $ref: '#/components/schemas/Order' });
    expect(named.all()).toEqual({
      Order: {
        type: 'object',
        properties: {
          state: { $ref: '#/components/schemas/OrderState', description: 'Of today.' },
          lines: { type: 'array', items: { $ref: '#/components/schemas/OrderLine' } },
        },
      },
      OrderLine: { type: 'object', properties: { state: { $ref: '#/components/schemas/OrderState' } } },
      OrderState: { type: 'string', enum: ['OPEN', 'PAID'] },
    });
  });

  it('leave a map and a text where they are', () => {
    const order = orderWith({ notes: { type: 'object', additionalProperties: { type: 'string' } }, name: { type: 'string' } });
    const named = schemas();
    named.named('Order', order);
    expect(named.all()).toEqual({ Order: order });
  });

  it.each<[string, (named: NamedSchemas) => unknown, string]>([
    ['a part without a name', (named) => named.named('Bill', orderWith({ state: STATE })), 'Bill.state has no name in'],
    ['one name for two schemas', (named) => [named.named('Order', orderWith({})), named.named('Order', STATE)], 'two schemas have the name Order'],
    ['two names for one list of values', (named) => [named.named('One', STATE), named.named('Other', STATE)], 'have two names: One and Other'],
    ['a name for a place that no schema has', (named) => named.all(), 'no schema has Order.state'],
  ])('refuse %s', (_, name, error) => {
    expect(() => name(schemas(['Order.state', 'OrderState']))).toThrow(error);
  });
});
