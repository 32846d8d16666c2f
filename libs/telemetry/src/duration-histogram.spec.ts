import { describe, expect, it } from '@jest/globals';
import { Histogram, Registry } from 'prom-client';

import { DurationHistogram } from './duration-histogram.js';

const LABELS = { route: '/a/:id', status: 200 };
const VALUES = [0, 0.001, 0.0011, 0.01, 0.5, 30, 31];

const options = () => ({ name: 'seconds', help: 'Time', labelNames: ['route', 'status'] as ('route' | 'status')[], buckets: [0.001, 0.01, 30] });

describe('a histogram of durations', () => {
  const registry = new Registry();
  const reference = new Registry();

  it('counts by its observers as prom-client 15.1.3 counts, beside each other and beside observe', async () => {
    const counted = new DurationHistogram(registry, options());
    const plain = new Histogram({ ...options(), registers: [reference] });
    counted.observe({ route: '/b', status: 404 }, 2);
    plain.observe({ route: '/b', status: 404 }, 2);
    const [one, again] = [counted.observer(LABELS), counted.observer({ ...LABELS })];
    for (const value of VALUES) {
      one(value);
      again(value);
      counted.observe(LABELS, value);
      for (let time = 0; time < 3; time++) plain.observe(LABELS, value);
      counted.observer({ route: '/b', status: 404 })(value);
      plain.observe({ route: '/b', status: 404 }, value);
    }
    expect(await registry.metrics()).toBe(await reference.metrics());
  });
});
