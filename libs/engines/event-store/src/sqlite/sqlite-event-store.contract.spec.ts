import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { eventStoreContract } from '#testkit/event-store/event-store.contract';
import { SqliteEventStore } from './sqlite-event-store.js';

describe('SqliteEventStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  const clock = new FixedClock();
  afterAll(() => rmSync(folder, { recursive: true }));

  eventStoreContract({
    open: async () => new SqliteEventStore({ path: join(folder, 'events.db'), clock }),
    passTime: async (milliseconds) => clock.advance(milliseconds),
    hasTransactions: true,
  });
});
