import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, jest } from '@jest/globals';

import { type Kysely, sql } from 'kysely';

import { DatabaseFiles } from '#engines/sqlite';
import { readModelsContract } from '#testkit/read-model/read-models.contract';
import { ReadModelsUnavailable } from '../read-models.js';
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

  it.each([
    ['each', 1, 20, 22],
    ['every fourth', 0.25, 5, 6],
    ['none', 0, 0, 1],
  ])('let the event loop turn after %s of twenty changes that take %d ms', async (_, milliseconds, least, most) => {
    let time = 0;
    const readModels = openSqliteReadModels(path(), { monotonic: () => (time += milliseconds) });
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
      expect(turns - before).toBeGreaterThanOrEqual(least);
      expect(turns - before).toBeLessThanOrEqual(most);
    } finally {
      going = false;
      await readModels.close();
    }
  });

  it('answer queries while their log is moved into the main file, and change nothing until it is there', async () => {
    const move = Promise.withResolvers<void>();
    const moveLog = jest.spyOn(DatabaseFiles.prototype, 'moveLog').mockReturnValue(move.promise);
    const readModels = openSqliteReadModels(path());
    const insert = (database: Kysely<unknown>) => sql`insert into counted values (1)`.execute(database);
    const count = () =>
      readModels.query(async (database) => (await sql<{ count: number }>`select count(*) as count from counted`.execute(database)).rows[0]?.count);
    const selected = () =>
      readModels.query<{ counted: { number: number } }, number>(
        async (database) => (await database.selectFrom('counted').selectAll().execute()).length,
      );
    try {
      await readModels.query((database) => sql`create table counted (number integer)`.execute(database));
      await readModels.transaction(async (transaction) => {
        for (let number = 0; number < 600; number += 1) await insert(transaction);
      });
      expect(moveLog).toHaveBeenCalledTimes(1);
      const changes = Promise.all([readModels.transaction(insert), readModels.transaction(insert)]);
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      expect(await selected()).toBe(600);
      move.resolve();
      await changes;
      expect(await count()).toBe(602);
      expect(moveLog).toHaveBeenCalledTimes(1);
    } finally {
      moveLog.mockRestore();
      await readModels.close();
    }
  });

  it('refuse every change after a move that failed, since what is on disk is unknown', async () => {
    const moveLog = jest.spyOn(DatabaseFiles.prototype, 'moveLog').mockRejectedValue(new Error('EIO: i/o error'));
    const readModels = openSqliteReadModels(path());
    const insert = (database: Kysely<unknown>) => sql`insert into counted values (1)`.execute(database);
    try {
      await readModels.query((database) => sql`create table counted (number integer)`.execute(database));
      await readModels.transaction(async (transaction) => {
        for (let number = 0; number < 600; number += 1) await insert(transaction);
      });
      await expect(readModels.transaction(insert)).rejects.toMatchObject({ reason: expect.stringContaining('have to be started anew') });
      await expect(readModels.query(insert)).rejects.toBeInstanceOf(ReadModelsUnavailable);
    } finally {
      moveLog.mockRestore();
      await readModels.close();
    }
  });

  it('make no file before they are used', async () => {
    await openSqliteReadModels(path()).close();
    await expect(stat(path())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
