import { readFile } from 'node:fs/promises';

import type { Stored } from '#kernel';

import { clientDecider } from './client.decider.js';
import { CLIENT_EVENTS, type ClientEvent } from './client.events.js';
import type { ClientState } from './client.js';

/** Stored once, read for ever: never change these files, add another one for a new version. */
const GOLDEN = [
  'client.events.v1.json',
  'client.webhook-events.v1.json',
  'client.disabled-events.v1.json',
  'client.deleted-events.v1.json',
  'client.consent-events.v1.json',
  'client.proof-events.v1.json',
];

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as { events: Stored<ClientEvent>[]; states: ClientState[] };

describe('the events of version 1', () => {
  it.each(GOLDEN)('are still understood: %s', async (name) => {
    const { events, states } = await read(name);
    let state = clientDecider.initial;
    // A state may have grown since.
    expect(events.map((event) => (state = clientDecider.evolve(state, event)))).toMatchObject(states);
  });

  it('are all there', async () => {
    const types = (await Promise.all(GOLDEN.map(read))).flatMap(({ events }) => events.map(({ type }) => type));
    expect(new Set(types)).toEqual(CLIENT_EVENTS.types);
  });
});
