import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';

import { streamName } from '#engines/event-store';
import { SessionPublication } from '#domain/session';

import { countLackingEvents } from '../src/count-lacking-events.js';
import { RelayRig } from './relay-rig.js';

let rig: RelayRig;
beforeEach(() => {
  rig = new RelayRig();
});
afterEach(() => rig.close());

it('reads each session of the topic once, however many of its events lie there', async () => {
  const SESSIONS = 40;
  const ids = await rig.sessions(SESSIONS);
  const relay = rig.start();
  await rig.topic.until(3 * SESSIONS);
  await relay.stop();
  const read = jest.spyOn(rig.store, 'read');
  const publication = new SessionPublication(rig.store);
  const parts = { eventStore: rig.store, publication, publisher: rig.topic };
  expect(await countLackingEvents(parts, {}, new AbortController().signal)).toBe(0);
  expect(read.mock.calls.map(([stream]) => stream).sort()).toEqual(ids.map((id) => streamName('session', id)).sort());
});
