import type { InsertObject, Transaction } from 'kysely';

/** Stores the rows that are not there yet; the others stay as they are, since an event may be applied again. */
export const insertNew = async <Tables, Table extends keyof Tables & string>(
  transaction: Transaction<Tables>,
  table: Table,
  rows: InsertObject<Tables, Table> | readonly InsertObject<Tables, Table>[],
): Promise<void> => {
  await transaction
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
