import type { Kysely } from 'kysely';

import type { IdentityTables } from './identities-projection.js';

/** Answered by the index alone: as cheap with a million certificates that have not ended. `time`: epoch milliseconds. */
export const certificatesEndedBy = (database: Kysely<IdentityTables>, time: number, limit: number) =>
  database.selectFrom('certificates_v3').select('serial').where('ends_at', '<=', time).orderBy('ends_at').limit(limit);

export const withoutCertificates = (database: Kysely<IdentityTables>, serials: readonly string[]) =>
  database.deleteFrom('certificates_v3').where('serial', 'in', serials);
