import type { Kysely } from 'kysely';
import type { ReadModel } from '#engines/read-model';

import type { IdentityTables } from './identities-projection.js';

/** Rows of one page. */
const PAGE = 200;

type Page<Row> = (database: Kysely<IdentityTables>, last: Row | undefined, limit: number) => Promise<readonly Row[]>;

/** The rows of a query, read in pages: `page` selects those after the last row. */
async function* rowsInPages<Row>(model: ReadModel<IdentityTables>, page: Page<Row>): AsyncGenerator<Row, void, void> {
  for (let last: Row | undefined; ;) {
    const rows = await model.read((database) => page(database, last, PAGE));
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

type Erasure = IdentityTables['erasures_v3'];

/** The erasures in the order of their start: after a place, of one stage, or begun at that time or before. */
export const erasuresAfter = (
  model: ReadModel<IdentityTables>,
  { after = -1, stage, begunBefore }: { readonly after?: number; readonly stage?: Erasure['stage']; readonly begunBefore?: number },
): AsyncGenerator<Erasure, void, void> =>
  rowsInPages<Erasure>(model, (database, last, limit) => {
    let rows = database
      .selectFrom('erasures_v3')
      .selectAll()
      .where('place', '>', last?.place ?? after);
    if (stage !== undefined) rows = rows.where('stage', '=', stage);
    if (begunBefore !== undefined) rows = rows.where('erased_at', '<=', begunBefore);
    return rows.orderBy('place').limit(limit).execute();
  });
