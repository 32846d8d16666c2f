import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { sql } from 'kysely';

import { readModelsContract } from '#testkit/read-model/read-models.contract';
import { openSqliteReadModels } from './sqlite-read-models.js';

describe('read models in SQLite', () => {
  let directory: string;
  const path = () => join(directory, 'read-models.sqlite');
  const subject = {
    make: async () => {
      directory = await mkdtemp(join(tmpdir(), 'read-models-'));
    },
    open: () => openSqliteReadModels(path()),
    remove: () => rm(directory, { recursive: true }),
  };

  readModelsContract(subject);

  it('let the event loop turn between the statements of a transaction', async () => {
    const readModels = openSqliteReadModels(path());
    let [turns, going] = [0, true];
    const turn = (): void => {
      turns += 1;
      if (going) setImmediate(turn);
    };
    try {
      await readModels.query((database) => sql`create table counted (number integer)`.execute(database));
      setImmediate(turn);
      const before = turns;
      await readModels.transaction(async (transaction) => {
        for (let number = 0; number < 20; number += 1) await sql`insert into counted values (${number})`.execute(transaction);
      });
      expect(turns - before).toBeGreaterThanOrEqual(20);
    } finally {
      going = false;
      await readModels.close();
    }
  });

  it('make no file before they are used', async () => {
    await openSqliteReadModels(path()).close();
    await expect(stat(path())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
