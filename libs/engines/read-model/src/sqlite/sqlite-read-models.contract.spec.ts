import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

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

  it('make no file before they are used', async () => {
    await openSqliteReadModels(path()).close();
    await expect(stat(path())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
