import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';

/**
 * SQLite that lets the event loop turn after each change. `node:sqlite` answers at once, so a transaction of many statements would otherwise hold up every request of the
 * process until its commit: a batch of a projection over large tables took 200 ms.
 */
export class YieldingDialect extends SqliteDialect {
  constructor(private readonly own: SqliteDialectConfig) {
    super(own);
  }

  override createDriver(): Driver {
    return new YieldingDriver(this.own);
  }
}

class YieldingDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new YieldingConnection(await super.acquireConnection());
  }
}

class YieldingConnection implements DatabaseConnection {
  constructor(private readonly connection: DatabaseConnection) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.connection.executeQuery<Row>(query);
    if (result.numAffectedRows !== undefined) await nextTurn();
    return result;
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize);
  }
}
