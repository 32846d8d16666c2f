import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { clientDecider } from './client.decider.js';
import type { ClientEvent } from './client.events.js';
import type { ClientState } from './client.js';

/** Stored once, read for ever: never change this file, add another one for a new version. */
const GOLDEN = new URL('client.events.v1.json', import.meta.url);

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<ClientEvent>[]; states: ClientState[] };
    let state = clientDecider.initial;
    expect(events.map((event) => (state = clientDecider.evolve(state, event)))).toEqual(states);
    const types: Record<ClientEvent['type'], true> = { ClientRegistered: true, ClientChanged: true, SecretIssued: true };
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(types)));
  });
});
