import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

import type { Stored } from '#kernel';

import { evolve } from './session.evolve.js';
import type { Session, StartedSession } from './session.js';
import { SESSION_EVENTS, type SessionEvent, versionOf } from './session.events.js';
import { statusRecord } from '../status/status-record.js';

/** Stored events are read for ever: never change these files, add another one for a new version. */
const GOLDEN = [
  'session.events.v2.json',
  'session.opened-by-link.v2.json',
  'session.dynamic-qr.v2.json',
  'session.verification-code.v2.json',
  'session.waiting-page.v2.json',
  'session.finished-by-number.v2.json',
  'session.number-refused.v2.json',
  'session.evidence.v2.json',
  'session.openid.v3.json',
  'session.bound-to-a-key.v4.json',
];

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as { events: Stored<SessionEvent>[]; states: string[] };

describe('the stored events', () => {
  it.each(GOLDEN)('still lead to the same states: %s', async (name) => {
    const { events, states } = await read(name);
    let session: Session = { status: 'NONE' };
    const folded = events.map(
      (event) => (session = event.type === 'SessionCreated' ? evolve({ status: 'NONE' }, event) : evolve(session, event)).status,
    );
    expect(folded).toEqual(states);
  });

  it('tell which device was refused', async () => {
    const { events } = await read('session.events.v2.json');
    const refusal = events.findIndex(({ type }) => type === 'ScanRefused');
    const session = events.slice(0, refusal + 1).reduce<Session>(evolve, { status: 'NONE' });
    expect(session).toMatchObject({ refused: ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'] });
  });

  it('tell a phone of the page that waits, and keep that out of the status', async () => {
    const { events } = await read('session.waiting-page.v2.json');
    const session = events.reduce<Session>(evolve, { status: 'NONE' }) as StartedSession;
    expect(session).toMatchObject({ status: 'SCANNED', waitingPage: 'data-1.c2VhbGVk' });
    expect(JSON.stringify(statusRecord(session))).not.toContain('c2VhbGVk');
  });

  it('tell from which redemption an access token is derived', async () => {
    const { events } = await read('session.openid.v3.json');
    const redeemed = events.at(-1)!;
    expect(events.reduce<Session>(evolve, { status: 'NONE' })).toMatchObject({
      terms: { issuer: true },
      grant: { redeemed: true, redemption: { eventId: redeemed.id, at: redeemed.data.at } },
    });
  });

  it('tell the key that an access token is bound to', async () => {
    const { events } = await read('session.bound-to-a-key.v4.json');
    const jkt = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
    expect(events.reduce<Session>(evolve, { status: 'NONE' })).toMatchObject({ terms: { dpop: { jkt } }, grant: { redemption: { jkt } } });
  });

  it('of a session whose token is bound to a key are for releases that know such tokens', () => {
    expect([versionOf({}), versionOf({ issuer: true }), versionOf({ issuer: true, dpop: {} }), versionOf({ issuer: true }, 'jkt')]).toEqual([
      2, 3, 4, 4,
    ]);
  });

  it('tell what the evidence of a login says', async () => {
    const { events } = await read('session.evidence.v2.json');
    const session = events.reduce<Session>(evolve, { status: 'NONE' });
    expect(session).toMatchObject({ terms: { evidence: true }, grant: { finishedBy: 'number', redeemed: false } });
  });

  it('have the version of the newest fixture', () => {
    expect(Math.max(...GOLDEN.map((name) => Number(/v(\d+)\.json$/.exec(name)?.[1])))).toBe(SESSION_EVENTS.version);
  });

  it('are all in a fixture', async () => {
    const fixtures = await Promise.all(GOLDEN.map(read));
    expect(new Set(fixtures.flatMap(({ events }) => events.map(({ type }) => type)))).toEqual(SESSION_EVENTS.types);
  });
});
