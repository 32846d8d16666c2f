import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, '../../deploy/backup/eventstoredb.sh');

/** The files of a database as EventStoreDB 24.10 lays them out: each has its own path as its content. */
const INDEX_CHECKPOINTS = ['index/stream-existence/streamExistenceFilter.chk'];
const INDEX = ['index/indexmap', 'index/0a1b2c', 'index/stream-existence/streamExistenceFilter.dat'];
const CHECKPOINTS = ['chaser.chk', 'epoch.chk', 'proposal.chk', 'writer.chk'];
const CHUNKS = ['chunk-000000.000000', 'chunk-000001.000002'];
const DATABASE = [...INDEX_CHECKPOINTS, ...INDEX, ...CHECKPOINTS, ...CHUNKS];

describe('deploy/backup/eventstoredb.sh', () => {
  let folder: string;
  let database: string;

  const inFolder = (name: string): string => join(folder, name);
  const files = (path: string): readonly string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
      .sort();
  const run = (...args: string[]): { code: number | null; error: string } => {
    const { status, stderr } = spawnSync(SCRIPT, args, { encoding: 'utf8', cwd: folder });
    return { code: status, error: stderr };
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    database = inFolder('database');
    for (const path of DATABASE) {
      mkdirSync(dirname(join(database, path)), { recursive: true });
      writeFileSync(join(database, path), path);
    }
    writeFileSync(join(database, 'writer.lock'), '');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('copies what points to a file before that file: checkpoints of the index, index, checkpoints, chunks', () => {
    const log = inFolder('copied');
    const cp = execFileSync('which', ['cp'], { encoding: 'utf8' }).trim();
    mkdirSync(inFolder('bin'));
    writeFileSync(inFolder('bin/cp'), `#!/bin/sh\nfor file in "$@"; do [ ! -f "$file" ] || echo "\${file#./}" >> ${log}; done\nexec ${cp} "$@"\n`, { mode: 0o755 });

    execFileSync(SCRIPT, ['copy', database, inFolder('copy')], { env: { PATH: `${inFolder('bin')}:${process.env['PATH'] ?? ''}` } });

    const copied = readFileSync(log, 'utf8').trim().split('\n');
    const parts = [INDEX_CHECKPOINTS, INDEX, CHECKPOINTS, CHUNKS];
    expect(copied.map((path) => parts.findIndex((part) => part.includes(path)))).toEqual(parts.flatMap((part, position) => part.map(() => position)));
    expect(files(inFolder('copy'))).toEqual([...DATABASE].sort());
  });

  it('restores a copy, with the point up to which it was processed as the point to cut it off', () => {
    run('copy', database, 'copy');

    expect(run('restore', 'copy', 'restored')).toEqual({ code: 0, error: '' });

    expect(files(inFolder('restored'))).toEqual([...DATABASE, 'truncate.chk'].sort());
    for (const path of DATABASE) expect(readFileSync(join(folder, 'restored', path), 'utf8')).toBe(path);
    expect(readFileSync(inFolder('restored/truncate.chk'), 'utf8')).toBe('chaser.chk');
  });

  it.each([
    ['copy', 'copies into a folder with files', 'database is not empty'],
    ['restore', 'restores over a database', 'database is not empty'],
  ])('%s never %s', (command, _, message) => {
    run('copy', database, 'earlier');
    expect(run(command, 'earlier', 'database')).toEqual({ code: 1, error: `eventstoredb.sh: ${message}\n` });
    expect(readFileSync(join(database, 'chaser.chk'), 'utf8')).toBe('chaser.chk');
  });

  it.each([
    ['copy', 'is no database of EventStoreDB: chaser.chk is missing'],
    ['restore', 'is no copy: chaser.chk is missing'],
  ])('%s refuses a folder without a database', (command, message) => {
    mkdirSync(inFolder('else'));
    expect(run(command, 'else', 'target')).toEqual({ code: 1, error: `eventstoredb.sh: else ${message}\n` });
  });

  it('fails when a file cannot be copied', () => {
    writeFileSync(inFolder('no-folder'), '');
    expect(run('copy', database, 'no-folder/copy').code).toBe(1);
  });

  it('tells how it is used', () => {
    expect(run()).toEqual({ code: 1, error: 'eventstoredb.sh: eventstoredb.sh copy DATABASE COPY | restore COPY DATABASE\n' });
  });
});
