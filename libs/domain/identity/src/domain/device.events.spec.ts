import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { deviceDecider } from './device.decider.js';
import { DEVICE_EVENTS, type DeviceEvent } from './device.events.js';
import type { DeviceState } from './device.js';

/** Stored events are read for ever: never change these files, add another one for a new version. */
const GOLDEN = ['device.events.v1.json', 'device.compacted.v1.json', 'device.without-certificate.v1.json', 'device.revoked-by-device.v1.json'];

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as { events: Stored<DeviceEvent>[]; states: DeviceState[] };

describe('the events of version 1', () => {
  it.each(GOLDEN)('are still understood: %s', async (name) => {
    const { events, states } = await read(name);
    let state = deviceDecider.initial;
    expect(events.map((event) => (state = deviceDecider.evolve(state, event)))).toEqual(states);
  });

  it('are all in the fixtures', async () => {
    const types = (await Promise.all(GOLDEN.map(read))).flatMap(({ events }) => events.map(({ type }) => type));
    expect(new Set(types)).toEqual(DEVICE_EVENTS.types);
  });
});
