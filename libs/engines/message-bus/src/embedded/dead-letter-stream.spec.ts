import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { type DomainEvent } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { DeadLetterStream } from './dead-letter-stream.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('dead-letters.v1.json', import.meta.url), 'utf8')) as DomainEvent[];

const clock = new FixedClock();
let store: SqliteEventStore;
let letters: DeadLetterStream;
beforeEach(async () => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  letters = new DeadLetterStream(store, clock, { topic: 'sessions.events.v1', group: 'webhooks' });
  await store.append(letters.stream, NO_STREAM, GOLDEN);
});
afterEach(() => store.close());

const reasons = (all: Awaited<ReturnType<DeadLetterStream['all']>>) => all.map(({ reason, redriven = false }) => [reason, redriven]);

describe('the stored events of dead letters', () => {
  it('tell what was given up, where, and what was handed over again', async () => {
    const all = await letters.all();
    expect(reasons(all)).toEqual([
      ['unknown type', true],
      ['data is no JSON object', true],
      ['an event that this release does not know', false],
    ]);
    expect(all[0]).toMatchObject({ at: 1_767_225_600_000, origin: 'position 17', message: { type: 'session.confirmed', esrevision: 2 } });
    expect(all[1]).not.toHaveProperty('message');
    expect(all[2]).toMatchObject({ source: { esrevision: 3 } });
  });

  it('are handed over by the event that says so, and what came later by the next one', async () => {
    expect(reasons(await letters.redrivenBy({ type: 'LettersRedriven', revision: 2 })).map(([reason]) => reason)).toEqual([
      'unknown type',
      'data is no JSON object',
    ]);
    expect(reasons(await letters.redrive())).toEqual([['an event that this release does not know', false]]);
    expect(await letters.redrive()).toEqual([]);
  });
});
