import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { eventStoreContract } from '#testkit/event-store/event-store.contract';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated } from '#testkit/event-store/authenticated';

describe('AuthenticatedEventStore, over SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  const clock = new FixedClock();
  afterAll(() => rmSync(folder, { recursive: true }));

  eventStoreContract({
    open: async () => authenticated(new SqliteEventStore({ path: join(folder, 'events.db'), clock }), { shortened: () => 'aged' }),
    passTime: async (milliseconds) => clock.advance(milliseconds),
    hasTransactions: true,
    authenticates: true,
  });
});
