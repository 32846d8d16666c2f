import { join, sep } from 'node:path';

/** `DATA_DIR` of a process that keeps everything in its memory and leaves nothing on disk. SQLite knows the same word. */
export const IN_MEMORY = ':memory:';

/** Whether the folder or file is `:memory:` or below it. */
export const isInMemory = (path: string): boolean => path === IN_MEMORY || path.startsWith(`${IN_MEMORY}${sep}`);

/** The path of a database in `DATA_DIR`, as SQLite takes it. */
export const databasePath = (dataDirectory: string, name: string): string => (isInMemory(dataDirectory) ? IN_MEMORY : join(dataDirectory, name));
