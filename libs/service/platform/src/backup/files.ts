/** The event store of the embedded profile, in `DATA_DIR`. */
export const STORE = 'countersign.sqlite';
/** Ids and times of the erased persons, in `DATA_DIR`. */
export const ERASURES = 'erasures.jsonl';
/** Files in `DATA_DIR` that are built anew from the store: read models and jobs. */
export const REBUILT = ['read-models.sqlite', 'jobs.sqlite'];

/** The socket on which a running service hands its store over, in `DATA_DIR`. */
export const SOCKET = 'backup.sock';
/** How names of unfinished copies in `DATA_DIR` begin. */
export const WORK_FILE = '.backup-';
