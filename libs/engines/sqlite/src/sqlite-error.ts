interface SqliteError extends Error {
  /** The extended result code (sqlite.org/rescode.html). */
  readonly errcode: number;
}

/** Whether the error comes from SQLite (the disk, the file, a constraint). Any other error is a fault of ours. */
export const isSqliteError = (error: unknown): error is SqliteError =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

const SQLITE_BUSY = 5;

// The low byte is the primary result code.
export const isBusy = (error: unknown): boolean => isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
