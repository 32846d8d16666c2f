import { writeSync } from 'node:fs';

import { sql } from 'kysely';

import { openSqliteReadModels } from '#engines/read-model';

/** A process of its own that writes pairs of rows into the read models of the file given as argument, one transaction after the other, and prints a line for each. */
const readModels = openSqliteReadModels(process.argv[2]!);
await readModels.query((database) => sql`CREATE TABLE pairs (pair INTEGER, half INTEGER, text TEXT)`.execute(database));
for (let pair = 0; ; pair += 1) {
  await readModels.transaction(async (transaction) => {
    for (const half of [1, 2]) await sql`INSERT INTO pairs VALUES (${pair}, ${half}, ${'x'.repeat(500)})`.execute(transaction);
  });
  writeSync(1, `+${pair}\n`);
}
