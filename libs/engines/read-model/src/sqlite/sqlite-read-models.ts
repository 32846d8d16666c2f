import { type Clock, SystemClock } from '#kernel';
import { isSqliteError, openDatabase } from '#engines/sqlite';

import { ReadModelsUnavailable } from '../read-models.js';
import { SqlReadModels } from '../sql-read-models.js';
import { OwnSqliteDialect } from './own-sqlite-dialect.js';

const OWNER = { name: 'read models', unavailable: (reason: string) => new ReadModelsUnavailable(reason) };

// A power failure may take the last transactions, each with its checkpoint: they are built again from the store.
const FORMAT = { version: 1, schema: '', pragmas: 'PRAGMA secure_delete = ON;' };

/** The read models in a SQLite file that this process holds alone. The file is opened, or made, by the first query. */
export const openSqliteReadModels = (path: string, clock: Pick<Clock, 'monotonic'> = new SystemClock()): SqlReadModels => {
  const dialect = new OwnSqliteDialect(() => openDatabase(path, FORMAT, OWNER), clock);
  return new SqlReadModels({ dialect, isShared: false, isDatabaseError: isSqliteError, beforeTransaction: () => dialect.beforeChange });
};
