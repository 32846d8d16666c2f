import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { Sealer, SystemRandomness } from '#kernel';

import { keyRingOf } from './key-ring.js';

/** An event as it lies in the database: nothing decrypted. */
export interface StoredEvent {
  readonly stream: string;
  readonly type: string;
  /** JSON. */
  readonly data: string;
}

export interface Find {
  /** Relative to DATA_DIR. */
  readonly path: string;
  readonly needle: string;
}

export interface Database {
  /** The file, relative to the directory. */
  readonly path: string;
  /** Selects stream, type and data of the streams with a name, `LIKE` as in SQL. */
  readonly query: string;
}

const SQLITE_STORE: Database = {
  path: 'countersign.sqlite',
  query:
    'SELECT s.name AS stream, e.type, e.data FROM events e JOIN streams s ON s.id = e.stream WHERE s.name LIKE ? AND e.erased = 0 ORDER BY e.position',
};

/** The files of the gRPC test server. Shows all events of `$all`, also those that reads of their streams hide. */
export const GRPC_TEST_SERVER: Database = {
  path: 'grpc-test-server.sqlite',
  query: 'SELECT stream, type, CAST(data AS TEXT) AS data FROM events WHERE stream LIKE ? ORDER BY position',
};

/** The files of a store as the owner of the disk sees them: their bytes, and with the key files their meaning. */
export class StoredData {
  constructor(
    private readonly directory: string,
    private readonly keyDirectory = join(directory, 'keys'),
    private readonly database = SQLITE_STORE,
  ) {}

  /** The events of streams with such a name, `LIKE` as in SQL. Reads a copy: the file itself is held by the service. */
  events(name: string): StoredEvent[] {
    const copy = mkdtempSync(join(tmpdir(), 'countersign-copy-'));
    try {
      cpSync(this.directory, copy, { recursive: true });
      using database = new DatabaseSync(join(copy, this.database.path));
      return database
        .prepare(this.database.query)
        .all(name)
        .map((row) => ({ ...row }) as unknown as StoredEvent);
    } finally {
      rmSync(copy, { recursive: true });
    }
  }

  /** The sealed content of an event. */
  opened({ stream, data }: StoredEvent): unknown {
    const sealer = new Sealer(keyRingOf(this.keyDirectory, 'data'), new SystemRandomness());
    return sealer.open((JSON.parse(data) as { sealed: string }).sealed, stream);
  }

  /** The needles that a file holds, by file: the database, its log and all others but the key files. */
  finds(needles: readonly string[]): Find[] {
    return readdirSync(this.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.directory, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('keys/'))
      .flatMap((path) => {
        const bytes = readFileSync(join(this.directory, path));
        return needles.filter((needle) => bytes.includes(needle, 0, 'latin1')).map((needle) => ({ path, needle }));
      });
  }
}

/** The text cut into pieces, each too long to occur by chance: the search finds a part that stays behind, too. */
export const pieces = (text: string, size = 64): string[] => {
  const all = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
  return all.filter((piece) => piece.length >= size / 2);
};

/** Pieces of the bytes as they are, in hex, and in base64 at each of its three alignments. */
export const spelledPieces = (bytes: Buffer): string[] => [
  ...pieces(bytes.toString('latin1')),
  ...pieces(bytes.toString('hex')),
  ...[0, 1, 2].flatMap((skipped) => {
    const text = bytes.subarray(skipped).toString('base64');
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')].flatMap((spelled) => pieces(spelled, 32));
  }),
];
