import type { Channel } from '#engines/message-bus';
import type { CloudEvent } from '#engines/message-bus';

/** A channel for tests. Its messages are orders of things. */
export const thingChannel = (topic: string): Channel => ({
  topic,
  types: new Set(['thing.ordered', 'thing.returned']),
  refuse: ({ type }) => (type.startsWith('thing.') ? undefined : 'unknown type'),
});

/** An order. The same thing and number make the same message. */
export const order = (thing: string, number: number, type = 'thing.ordered'): CloudEvent => ({
  specversion: '1.0',
  id: `${thing}-${number}`,
  source: '/things',
  type,
  subject: thing,
  time: '2026-01-01T00:00:00.000Z',
  esrevision: 0,
  data: { number },
});
