import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import type { Stored } from '#kernel';

import { evolve } from './session.evolve.js';
import type { Session } from './session.js';
import type { SessionEvent } from './session.events.js';

/** Stored once, read for ever: never change this file, add another one for a new version. */
const GOLDEN = new URL('session.events.v1.json', import.meta.url);

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<SessionEvent>[]; states: string[] };
    let session: Session = { status: 'NONE' };
    const folded = events.map((event) => (session = event.type === 'SessionCreated' ? evolve({ status: 'NONE' }, event) : evolve(session, event)).status);
    expect(folded).toEqual(states);
    const types: Record<SessionEvent['type'], true> = {
      SessionCreated: true, HandoffClaimed: true, LoginSuperseded: true, SessionScanned: true, ScanRefused: true,
      SessionConfirmed: true, SessionCompleted: true, RedirectIssued: true, SessionCancelled: true, SessionExpired: true, CodeRedeemed: true,
    };
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(types).sort());
  });
});
