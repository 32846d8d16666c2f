export interface BackupOptions {
  readonly dataDirectory: string;
  /** The folder for the file. */
  readonly to: string;
  /** Public keys of age. */
  readonly recipients: readonly string[];
  /** Backups of this command that stay in the folder. Default: all. */
  readonly keep?: number;
}

export interface Backup {
  readonly file: string;
  /** Bytes of the store. */
  readonly size: number;
  readonly removed: readonly string[];
}

export interface RestoreOptions {
  readonly dataDirectory: string;
  readonly file: string;
  /** A file with private keys of age. */
  readonly identityFile: string;
  /** A list of erasures that is newer than the one in `dataDirectory`. */
  readonly erasuresFile?: string;
  /** Whether a store that is there may be removed. */
  readonly replace: boolean;
}

export interface Restored {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly size: number;
  /** Persons who were erased since: the service erases them again when it starts. */
  readonly erasures: number;
}
