import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { deviceDecider } from './device.decider.js';
import type { DeviceEvent } from './device.events.js';
import type { DeviceState } from './device.js';

/** Stored once, read for ever: never change this file, add another one for a new version. */
const GOLDEN = new URL('device.events.v1.json', import.meta.url);

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<DeviceEvent>[]; states: DeviceState[] };
    let state = deviceDecider.initial;
    expect(events.map((event) => (state = deviceDecider.evolve(state, event)))).toEqual(states);
    const types: Record<DeviceEvent['type'], true> = { DeviceEnrolled: true, PinAccepted: true, PinFailed: true, DeviceLocked: true, DeviceRevoked: true };
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  });
});
