import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { identityDecider } from './identity.decider.js';
import type { IdentityEvent } from './identity.events.js';
import type { Identity } from './identity.js';

/** Stored once, read for ever: never change this file, add another one for a new version. */
const GOLDEN = new URL('identity.events.v1.json', import.meta.url);

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<IdentityEvent>[]; states: Identity[] };
    let state = identityDecider.initial;
    expect(events.map((event) => (state = identityDecider.evolve(state, event)))).toEqual(states);
    const types: Record<IdentityEvent['type'], true> = { IdentityRegistered: true, ActivationCodeIssued: true, DeviceAdded: true, IdentityErased: true, ErasureCompleted: true };
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  });
});
