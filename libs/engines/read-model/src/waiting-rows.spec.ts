import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { BookkeepingTables } from './migrations.js';
import type { ReadModels } from './read-models.js';
import { openSqliteReadModels } from './sqlite/sqlite-read-models.js';
import { CountedReadModels } from '#testkit/read-model/counted-read-models';
import { WaitingRows } from './waiting-rows.js';

describe('the rows of projections that a process waits to write', () => {
  const statements = new Map<string, number>();
  let readModels: ReadModels;
  let stop: AbortController;
  let rows: WaitingRows;

  beforeEach(async () => {
    readModels = openSqliteReadModels(':memory:');
    await readModels.migrate();
    await readModels.query<BookkeepingTables, unknown>((database) =>
      database
        .insertInto('projections')
        .values(
          [1, 2].flatMap((version) =>
            ['clients', 'sessions', 'others'].map((name) => ({
              ...{ name, version, position: version, event_id: null, marks: null, history: '', complete: 1, epoch: 1, holder: 'another', beat: 1 },
            })),
          ),
        )
        .execute(),
    );
    statements.clear();
    stop = new AbortController();
    rows = new WaitingRows(new CountedReadModels(readModels, statements), { interval: 1, signal: stop.signal });
  });
  afterEach(() => readModels.close());

  it('are read by one statement, however many there are', async () => {
    const asked = [
      rows.next({ name: 'clients', version: 1 }),
      rows.next({ name: 'sessions', version: 2 }),
      rows.next({ name: 'unknown', version: 1 }),
    ];
    expect((await Promise.all(asked)).map((row) => row && [row.name, row.version, row.position])).toEqual([
      ['clients', 1, 1],
      ['sessions', 2, 2],
      undefined,
    ]);
    expect([...statements]).toEqual([['Select projections', 1]]);
  });

  it('are read anew at each look', async () => {
    await rows.next({ name: 'clients', version: 1 });
    await readModels.query<BookkeepingTables, unknown>((database) => database.updateTable('projections').set({ holder: null }).execute());
    expect(await rows.next({ name: 'sessions', version: 1 })).toMatchObject({ name: 'sessions', holder: null });
    expect(statements.get('Select projections')).toBe(2);
  });

  it('are not read once the process stops', async () => {
    const asked = rows.next({ name: 'clients', version: 1 });
    stop.abort();
    expect(await asked).toBeUndefined();
    expect(statements.size).toBe(0);
  });
});
