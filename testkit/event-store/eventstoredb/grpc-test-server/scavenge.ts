import type { DatabaseSync } from 'node:sqlite';

import { DELETED, readStreamMetadata } from './stream-metadata.js';

interface Row {
  readonly stream: string;
  readonly last: bigint;
}

/**
 * Removes the events that a scavenge of the real server was measured to remove, with their bytes in the file. The last event of a stream
 * stays, whatever its `$maxAge`, `$maxCount`, truncation or deletion says. Of a tombstoned stream only the tombstone stays.
 * Answers by how many bytes the file has shrunk.
 */
export const scavenge = (database: DatabaseSync, now: number): number => {
  const before = sizeOf(database);
  const streams = database.prepare('SELECT stream, max(revision) AS last FROM events GROUP BY stream');
  streams.setReadBigInts(true);
  const metadata = database.prepare(`SELECT data FROM events WHERE stream = '$$' || ? ORDER BY revision DESC LIMIT 1`);
  const tooOld = database.prepare('SELECT coalesce(max(revision) + 1, 0) AS first FROM events WHERE stream = ? AND at < ?');
  tooOld.setReadBigInts(true);
  const removeBefore = database.prepare('DELETE FROM events WHERE stream = ? AND revision < ?');
  database.exec('BEGIN IMMEDIATE');
  for (const { stream, last } of streams.all() as unknown as Row[]) {
    if (last === DELETED) {
      removeBefore.run(stream, DELETED);
      removeBefore.run(`$$${stream}`, DELETED);
      continue;
    }
    const { maxAge, maxCount, truncateBefore } = stream.startsWith('$$')
      ? { maxAge: null, maxCount: 1n, truncateBefore: null }
      : readStreamMetadata(metadata.get(stream)?.['data'] as Uint8Array | undefined);
    const firsts = [
      maxCount === null ? 0n : last - maxCount + 1n,
      truncateBefore ?? 0n,
      maxAge === null ? 0n : (tooOld.get(stream, now - maxAge)?.['first'] as bigint),
    ];
    const first = firsts.reduce((a, b) => (a > b ? a : b));
    removeBefore.run(stream, first > last ? last : first);
  }
  database.exec('COMMIT');
  // The connection has secure_delete on; the content of freed pages is gone from the file and from its write-ahead log.
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
  return Math.max(0, before - sizeOf(database));
};

const sizeOf = (database: DatabaseSync): number => {
  const of = (pragma: string): number => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  return of('page_count') * of('page_size');
};
