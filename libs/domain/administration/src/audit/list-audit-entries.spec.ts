import { readFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { AUDIT_STREAM } from '../streams.js';
import type { AuditEvent } from './audit-events.js';
import { ListAuditEntries } from './list-audit-entries.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('audit.approved.v1.json', import.meta.url), 'utf8')) as AuditEvent[];

let store: SqliteEventStore;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
});
afterEach(() => store.close());

describe('the audit trail', () => {
  it('tells who approved a change, with what was signed, as it was stored', async () => {
    await store.append(AUDIT_STREAM, NO_STREAM, GOLDEN);
    const { entries } = await new ListAuditEntries(store).execute({ limit: 10 });
    expect(entries).toEqual([{ sequence: 0, phase: 'APPROVED', ...GOLDEN[0]!.data }]);
  });
});
