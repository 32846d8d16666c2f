import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { judgeEventStore } from './event-store-version.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/event-stores.md'), 'utf8');

describe('an event store, by the version that it tells,', () => {
  it.each([
    ['23.10.7.0', 'EventStoreDB 23.10.7'],
    ['23.10.8', 'EventStoreDB 23.10.8'],
    ['v24.10.5', 'EventStoreDB 24.10.5'],
    ['24.10.9-grpc-test-server', 'EventStoreDB 24.10.9'],
    ['25.0.1', 'KurrentDB 25.0.1'],
    ['25.1', 'KurrentDB 25.1.0'],
    ['26.1.0.4321-commercial', 'KurrentDB 26.1.0'],
    ['31.0.0', 'KurrentDB 31.0.0'],
  ])('%s is %s', (told, note) => {
    expect(judgeEventStore(told)).toEqual({ note });
  });

  it.each([
    ['5.0.11', '23.10.7'],
    ['22.10.5', '23.10.7'],
    ['23.6.0', '23.10.7'],
    ['23.10.6', '23.10.7'],
    ['24.2.0', '24.10.5'],
    ['24.10.4.99', '24.10.5'],
    ['25.0.0', '25.0.1'],
  ])('%s is too old: %s is the next that may be used', (told, floor) => {
    expect(judgeEventStore(told).problem).toBe(`${judgeEventStore(told).note} loses events in subscriptions. Install ${floor} or later.`);
  });

  it.each(['unknown', '', 'main', '<script>'])('%j is none that is known, and no fault', (told) => {
    expect(judgeEventStore(told)).toEqual({ note: 'a server that does not tell its version' });
  });

  it.each(['23.10.6', '24.10.4', '25.0.0'])('%s has a successor that the page of event stores names as the floor', (told) => {
    const [, floor] = /Install (\S+) or later/.exec(judgeEventStore(told).problem ?? '') ?? [];
    expect(PAGE).toMatch(new RegExp(`^\\*\\*Floors\\.\\*\\*.*${floor}`, 'm'));
  });
});
