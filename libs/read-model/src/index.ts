export { keysetPage } from './keyset-page.js';
export type { Projection, ProjectionTables } from './projection.js';
export { type ProjectionBacklog, Projections, type ProjectionStatus } from './projections.js';
export { type PostgresqlAccess } from './postgresql/postgresql-access.js';
export { openPostgresqlReadModels } from './postgresql/postgresql-read-models.js';
export type { ReadModel } from './read-model.js';
export type { ReadModels } from './read-models.js';
export { openSqliteReadModels } from './sqlite/sqlite-read-models.js';
