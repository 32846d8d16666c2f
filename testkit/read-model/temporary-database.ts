import pg from 'pg';

import { SystemRandomness } from '#kernel';

/** A new, empty database on the PostgreSQL of the tests. */
export class TemporaryDatabase {
  private constructor(
    private readonly server: string,
    readonly name: string,
  ) {}

  /** @param server URL of a user who may create databases; @param prefix begins the name */
  static async create(server: string, prefix: string): Promise<TemporaryDatabase> {
    const database = new TemporaryDatabase(server, `${prefix}_${new SystemRandomness().uuid().replaceAll('-', '')}`);
    await database.asOwner(`CREATE DATABASE ${database.name}`);
    return database;
  }

  get url(): string {
    const address = new URL(this.server);
    address.pathname = `/${this.name}`;
    return address.href;
  }

  /** Runs a statement as the user of the server's URL. */
  async asOwner(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.server });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** Ends its connections and removes it. */
  remove(): Promise<void> {
    return this.asOwner(`DROP DATABASE ${this.name} WITH (FORCE)`);
  }
}
