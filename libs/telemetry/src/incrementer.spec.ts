import { expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';

import { incrementer } from './incrementer.js';

it('counts as prom-client 15.1.3 counts, beside another one of the same labels and beside inc', async () => {
  const registry = new Registry();
  const counter = new Counter({ name: 'things_total', help: 'Things', labelNames: ['kind', 'end'] as const, registers: [registry] });
  counter.inc({ kind: 'a', end: 'good' }, 2);
  const [one, again, other] = [
    incrementer(counter, { kind: 'a', end: 'good' }),
    incrementer(counter, { end: 'good', kind: 'a' }),
    incrementer(counter, { kind: 'b', end: 'good' }),
  ];
  for (const increment of [one, again, one, other]) increment();
  counter.inc({ kind: 'a', end: 'good' });
  expect((await counter.get()).values.map(({ labels, value }) => [labels, value])).toEqual([
    [{ kind: 'a', end: 'good' }, 6],
    [{ kind: 'b', end: 'good' }, 1],
  ]);
});
