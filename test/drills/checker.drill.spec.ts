import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { runDirectory, secret, word } from '../support/index.js';
import type { Tapped } from './support/bus-tap.js';
import { busViolations, type StoredSession, violations } from './support/checker.js';
import { type Entry, Journal } from './support/journal.js';
import { secrecyViolations, strangerViolations } from './support/secrecy-checker.js';

const check = (entries: readonly Omit<Entry, 'sessionId'>[], types: readonly string[], status: string, sequence = (i: number) => i): string[] => {
  const journal = new Journal();
  for (const entry of entries) journal.record({ ...entry, sessionId: 's' });
  const stored: StoredSession = { sessionId: 's', status, events: types.map((type, i) => ({ type, sequence: sequence(i) })) };
  return violations(journal, new Map([['s', stored]])).map((line) => line.slice(0, 2));
};

const WHOLE = ['SessionCreated', 'HandoffClaimed', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'];
const ok = (command: Entry['command']): Omit<Entry, 'sessionId'> => ({ command, outcome: 'ok' });

describe('the checker', () => {
  it('accepts a complete login', () => {
    expect(check([ok('create'), ok('claim'), ok('scan'), ok('confirm'), ok('complete'), ok('exchange')], WHOLE, 'COMPLETED')).toEqual([]);
  });

  it('accepts a command of unknown outcome, whether it was carried out or not', () => {
    const entries: Omit<Entry, 'sessionId'>[] = [ok('create'), { command: 'scan', outcome: 'unknown' }];
    expect(check(entries, ['SessionCreated'], 'PENDING')).toEqual([]);
    expect(check(entries, ['SessionCreated', 'SessionScanned'], 'SCANNED')).toEqual([]);
  });

  it.each<[string, string, Omit<Entry, 'sessionId'>[], string[], string]>([
    ['I1', 'an acknowledged event is lost', [ok('create'), ok('scan')], ['SessionCreated'], 'PENDING'],
    ['I1', 'a session is lost', [ok('create')], [], ''],
    ['I1', 'the status forgets', [], ['SessionCreated', 'SessionScanned'], 'PENDING'],
    ['I2', 'PENDING becomes CONFIRMED', [], ['SessionCreated', 'SessionConfirmed'], 'CONFIRMED'],
    ['I3', 'a code is exchanged twice', [ok('exchange'), ok('exchange')], WHOLE, 'COMPLETED'],
    ['I7', 'CANCELLED becomes COMPLETED', [], ['SessionCreated', 'SessionCancelled', 'SessionCompleted'], 'COMPLETED'],
    ['I7', 'EXPIRED becomes CONFIRMED', [], ['SessionCreated', 'SessionScanned', 'SessionExpired', 'SessionConfirmed'], 'CONFIRMED'],
  ])('%s: sees that %s', (invariant, _, entries, types, status) => {
    expect(check(entries, types, status)).toContain(invariant);
  });

  it('accepts the cancellation of an approved signature, but not of a confirmed login or of a finished signature', () => {
    const after = (isSigning: boolean, ...types: string[]): string[] => {
      const events = ['SessionCreated', 'SessionScanned', 'SessionConfirmed', ...types].map((type, sequence) => ({ type, sequence }));
      return violations(new Journal(), new Map([['s', { sessionId: 's', status: 'CANCELLED', isSigning, events }]])).map((line) => line.slice(0, 2));
    };
    expect(after(true, 'SessionCancelled')).toEqual([]);
    expect(after(false, 'SessionCancelled')).toEqual(['I2']);
    expect(after(true, 'SessionCompleted', 'SessionCancelled')).toEqual(['I2']);
  });

  it('I2: reports a gap in the revisions', () => {
    expect(check([], ['SessionCreated', 'SessionScanned'], 'SCANNED', (i) => i * 2)).toContain('I2');
  });
});

const record = (revision: number, type: string, changes: Partial<Tapped> = {}): Tapped => ({
  topic: 'sessions.events.v1',
  partition: 2,
  key: 's',
  id: `event-${revision}`,
  type,
  revision,
  content: `${type} ${revision}`,
  ...changes,
});
const CREATED = record(0, 'session.created');
const SCANNED = record(1, 'session.scanned');
const CANCELLED = record(2, 'session.cancelled');

describe('the checker of the bus', () => {
  const sessions = new Map<string, StoredSession>([
    [
      's',
      {
        sessionId: 's',
        status: 'CANCELLED',
        events: ['SessionCreated', 'SessionScanned', 'SessionCancelled'].map((type, sequence) => ({ type, sequence })),
      },
    ],
  ]);
  const check = (...records: Tapped[]): string[] => busViolations(sessions, records).map((line) => line.replace(' s:', ''));

  it('accepts each event once, and complete or partial repetitions', () => {
    expect(check(CREATED, SCANNED, CANCELLED)).toEqual([]);
    expect(check(CREATED, SCANNED, SCANNED, CANCELLED, CREATED, SCANNED, CANCELLED)).toEqual([]);
  });

  it('accepts other sessions on the topic', () => {
    expect(check(record(7, 'session.created', { key: 'other' }), CREATED, SCANNED, CANCELLED)).toEqual([]);
  });

  it.each<[string, Tapped[], string[]]>([
    ['an event is missing', [CREATED, CANCELLED], ['I4 SessionScanned, revision 1, is not on the bus']],
    [
      'a session is missing',
      [],
      ['SessionCreated, revision 0', 'SessionScanned, revision 1', 'SessionCancelled, revision 2'].map((event) => `I4 ${event}, is not on the bus`),
    ],
    ['the order is another', [CREATED, CANCELLED, SCANNED], ['I4 revision 1 comes first after 2']],
    [
      'a repetition has another body',
      [CREATED, SCANNED, { ...SCANNED, content: 'another' }, CANCELLED],
      ['I4 revision 1 differs from its repetition'],
    ],
    ['a repetition has another id', [CREATED, SCANNED, { ...SCANNED, id: 'another' }, CANCELLED], ['I4 revision 1 differs from its repetition']],
    ['two events have one id', [CREATED, SCANNED, { ...CANCELLED, id: SCANNED.id }], ['I4 two events under one id']],
    [
      'something is there that is not stored',
      [CREATED, SCANNED, CANCELLED, record(3, 'session.completed')],
      ['I4 revision 3 is on the bus and not in the store'],
    ],
    [
      'an event is published as another',
      [CREATED, { ...SCANNED, type: 'session.confirmed' }, CANCELLED],
      ['I4 SessionScanned is on the bus as session.confirmed'],
    ],
    ['a session is on two partitions', [CREATED, SCANNED, { ...CANCELLED, partition: 3 }], ['I4 on the partitions 3 and 2']],
  ])('I4: sees that %s', (_, records, found) => {
    expect(check(...records)).toEqual(found);
  });
});

describe('the checker of secrecy', () => {
  const name = `checker-${word()}`;
  const folder = join(runDirectory(), `${name}.data`);
  const code = secret('authorization code', word() + word());
  const leave = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  beforeEach(() => {
    mkdirSync(folder);
    leave('kafka.log', 'nothing');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('accepts files and topics without a secret', () => {
    expect(secrecyViolations(name, [CREATED])).toEqual([]);
  });

  it.each(['session-api-1.log', 'events.sqlite', 'events.sqlite-wal', 'appendonly.aof'])('I8: reports a code in %s', (file) => {
    leave(file, `x ${code} x`);
    expect(secrecyViolations(name, [])).toEqual([`I8 authorization code (plain) in ${name}.data/${file} at 2`]);
  });

  it('I8: reports a code on a topic', () => {
    expect(secrecyViolations(name, [CREATED, { ...SCANNED, content: `{"code":"${code}"}` }])).toEqual([
      'I8 authorization code (plain) in sessions.events.v1, s/1',
    ]);
  });

  it('refuses to judge a topology that left no files', () => {
    expect(() => secrecyViolations('misspelt', [])).toThrow('no files to search');
  });

  it('I9: reports that another client can read a session or learn that it exists', async () => {
    const answers: Record<string, { status: number; json: Record<string, unknown> }> = {
      hidden: { status: 404, json: { errorCode: 'session_not_found' } },
      shown: { status: 200, json: { status: 'PENDING' } },
      told: { status: 403, json: { errorCode: 'forbidden' } },
      other: { status: 404, json: { errorCode: 'not_found' } },
    };
    const stranger = { status: async ({ sessionId }: { sessionId: string }) => answers[sessionId]! };
    expect(await strangerViolations(stranger, ['hidden'])).toEqual([]);
    expect(await strangerViolations(stranger, Object.keys(answers))).toEqual(
      [200, 403, 404].map((status, i) => `I9 ${['shown', 'told', 'other'][i]}: another client was answered ${status}`),
    );
  });
});
