import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import pg from 'pg';

import { eventually } from '#testkit/kernel/eventually';

import type { Staff } from '../../support/index.js';

/** The rows of each table of the read models, as JSON text, in an order of their own. */
type Rows = Readonly<Record<string, readonly string[]>>;

/** Milliseconds: every read model is built anew within this time, and nothing changes for the other one. */
const BUILT_WITHIN = 120_000;
const QUIET = 5_000;

/** All read models of a PostgreSQL. */
export class ReadModelRows {
  constructor(
    private readonly url: string,
    private readonly staff: Staff,
  ) {}

  /** The rows, once all read models are complete and nothing changes any more. */
  async settled(): Promise<Rows> {
    let rows = await this.#rows();
    const isQuiet = async (): Promise<boolean> => {
      const before = rows;
      await sleep(QUIET);
      rows = await this.#rows();
      return rows !== undefined && isDeepStrictEqual(rows, before);
    };
    await eventually(isQuiet, { what: 'the read models are complete and quiet', within: BUILT_WITHIN });
    return rows!;
  }

  /** The rows after all read models were built anew from the store. */
  async builtAnew(): Promise<Rows> {
    for (const name of await this.names()) await this.staff.ask('POST', `/projections/${name}/rebuild`);
    return this.settled();
  }

  async names(): Promise<readonly string[]> {
    return (await this.#projections()).map(({ name }) => name);
  }

  async #projections(): Promise<readonly { readonly name: string; readonly complete: number }[]> {
    return this.#query('SELECT name, complete FROM projections ORDER BY name');
  }

  /** Undefined while a read model is being built. */
  async #rows(): Promise<Rows | undefined> {
    const projections = await this.#projections();
    if (projections.some(({ complete }) => Number(complete) !== 1)) return undefined;
    const tables = await this.#tables();
    const rowsOf = async (table: string): Promise<readonly string[]> =>
      (await this.#query<{ readonly row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`)).map(({ row }) => row);
    return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const)));
  }

  /** The names of tables of read models end with a version. */
  async #tables(): Promise<readonly string[]> {
    const text = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ '_v[0-9]+$' ORDER BY tablename";
    return (await this.#query<{ readonly tablename: string }>(text)).map(({ tablename }) => tablename);
  }

  async #query<Row>(text: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}
