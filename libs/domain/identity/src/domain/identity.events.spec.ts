import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { identityDecider } from './identity.decider.js';
import { IDENTITY_EVENTS, type IdentityEvent } from './identity.events.js';
import type { Identity } from './identity.js';

/** Stored events are read for ever: never change these files, add another one for a new version. */
const GOLDEN = [
  'identity.events.v1.json',
  'identity.session-erasure.v1.json',
  'identity.erased-by.v1.json',
  'identity.for-member.v1.json',
  'identity.issued-by.v1.json',
];

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as { events: Stored<IdentityEvent>[]; states: Identity[] };

describe('the events of version 1', () => {
  it.each(GOLDEN)('are still understood: %s', async (name) => {
    const { events, states } = await read(name);
    let state = identityDecider.initial;
    // A state may have gained members since.
    expect(events.map((event) => (state = identityDecider.evolve(state, event)))).toMatchObject(states);
  });

  it('are all in the fixtures', async () => {
    const types = (await Promise.all(GOLDEN.map(read))).flatMap(({ events }) => events.map(({ type }) => type));
    expect(new Set(types)).toEqual(IDENTITY_EVENTS.types);
  });
});
