import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AnchoredStore, logIn } from '#testkit/transparency-log/anchored-store';

import { HistoryRefused } from './history-refused.js';
import type { SignedCheckpoint } from './published-log.js';
import { NoteRefused } from './signed-note.js';
import { verifyPublished } from './verify-published.js';

const signal = new AbortController().signal;

describe('a history that is verified from outside', () => {
  let anchored: AnchoredStore;
  let folder: string;
  /** The folder as it was after each checkpoint. */
  const copies: string[] = [];
  const kept: SignedCheckpoint[] = [];

  beforeAll(async () => {
    anchored = new AnchoredStore();
    folder = anchored.folders[0]!;
    for (const count of [1, 254, 3, 300]) {
      await anchored.append('right', 'a', Array<string>(count).fill('GuardedGrant'));
      await anchored.writer().write(signal);
      kept.push((await anchored.logs()[0]!.newest())!);
      const copy = mkdtempSync(join(tmpdir(), 'published-'));
      cpSync(folder, copy, { recursive: true });
      copies.push(copy);
    }
  });
  afterAll(async () => {
    await anchored.sqlite.close();
    anchored[Symbol.dispose]();
    for (const copy of copies) rmSync(copy, { recursive: true });
  });

  /** Verifies a copy of the folder after a change to it. */
  const changed = async (change: (copy: string) => void, earlier: readonly SignedCheckpoint[] = []) => {
    const copy = mkdtempSync(join(tmpdir(), 'published-'));
    try {
      cpSync(folder, copy, { recursive: true });
      change(copy);
      return await verifyPublished(logIn(copy), earlier);
    } finally {
      rmSync(copy, { recursive: true });
    }
  };
  const inFile = (path: string, from: string, to: string) => (copy: string) => {
    const text = readFileSync(join(copy, path), 'latin1');
    expect(text).toContain(from);
    writeFileSync(join(copy, path), text.replace(from, to), 'latin1');
  };

  it('has the leaves that were signed, and begins with each checkpoint that was kept', async () => {
    const verified = await verifyPublished(logIn(folder), kept);
    expect(verified?.checkpoint).toEqual(kept.at(-1));
    expect([...verified!.types]).toEqual([['GuardedGrant', 558]]);
    expect(kept.map(({ size }) => size)).toEqual([1, 255, 258, 558]);
  });

  it('may be a copy from before', async () => {
    for (const [index, copy] of copies.entries())
      expect((await verifyPublished(logIn(copy), kept.slice(0, index + 1)))?.checkpoint.size).toBe(kept[index]!.size);
  });

  it('is not there before the first checkpoint', async () => {
    const empty = new AnchoredStore();
    expect(await verifyPublished(logIn(empty.folders[0]!))).toBeUndefined();
    await empty.sqlite.close();
    empty[Symbol.dispose]();
  });

  it.each([
    ['a leaf in a full bundle', 'tile/entries/000'],
    ['a leaf in the last part', 'tile/entries/002.p/46'],
  ])('is refused with another type in %s', async (_, path) => {
    const refused = changed(inFile(path, 'GuardedGrant', 'GuardedOther'));
    await expect(refused).rejects.toThrow(new HistoryRefused('the 558 leaves have not the root that was signed'));
  });

  it('is refused with a leaf that is none', async () => {
    await expect(changed(inFile('tile/entries/001', 'right ', 'right_'))).rejects.toThrow(new HistoryRefused('leaf 256 is no leaf'));
  });

  it('is refused without a bundle', async () => {
    await expect(changed((copy) => rmSync(join(copy, 'tile/entries/001')))).rejects.toThrow(new NoteRefused('the leaves from 256 on are missing'));
  });

  it('is refused with a size that was not signed', async () => {
    await expect(changed(inFile('checkpoint', '\n558\n', '\n255\n'))).rejects.toThrow(new NoteRefused('the signature of the note is wrong'));
  });

  it('is refused where an older copy was put back after a checkpoint that was kept', async () => {
    await expect(verifyPublished(logIn(copies[1]!), kept)).rejects.toThrow(
      /has 255 leaves, and one of 558 was signed before: an older copy was put back/,
    );
  });

  it('is refused where the folder was emptied after a checkpoint that was kept', async () => {
    await expect(changed((copy) => rmSync(join(copy, 'checkpoint')), kept)).rejects.toThrow(/no checkpoint is published any more, and one of 558/);
  });

  it('is refused where another history was signed by the same key', async () => {
    const other = new AnchoredStore();
    await other.append('right', 'b', Array<string>(600).fill('GuardedGrant'));
    await other.writer().write(signal);
    const log = other.logs()[0]!;
    expect((await verifyPublished(log))?.checkpoint.size).toBe(600);
    for (const one of kept)
      await expect(verifyPublished(log, [one])).rejects.toThrow(`does not begin with the checkpoint of ${one.size} leaves that was signed before`);
    await other.sqlite.close();
    other[Symbol.dispose]();
  });
});
