export { backUpDatabase } from './back-up-database.js';
export { DatabaseFiles } from './database-files.js';
export type { DatabaseOwner } from './database-owner.js';
export { type AfterCommit, GroupCommit } from './group-commit.js';
export { openDatabase } from './open-database.js';
export { eachRowOf, rowOf, rowsOf } from './rows.js';
export { isSqliteError } from './sqlite-error.js';
