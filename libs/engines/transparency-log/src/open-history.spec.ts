import { readFile } from 'node:fs/promises';

import { compareNewest, type NamedCheckpoint } from './open-history.js';
import type { CheckpointNoted } from './streams.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('history.v1.json', import.meta.url), 'utf8')) as CheckpointNoted[];

describe('the checkpoint that the store names', () => {
  const note = GOLDEN[1] as NamedCheckpoint;
  const checkpoint = (size: number, root = note.data.root) => ({
    origin: 'log',
    size,
    root: Buffer.from(root, 'base64'),
    at: 0,
    heads: [],
    extensions: [],
    note: '',
  });

  it('is compared with the published one as it was stored', () => {
    expect(compareNewest(note, checkpoint(3))).toBeUndefined();
    expect(compareNewest(note, checkpoint(3, GOLDEN[0]!.data.root))?.message).toContain('another root of 3 leaves');
    expect(compareNewest(note, checkpoint(4))?.message).toContain('the store is an older copy');
  });

  it('may be one ahead, and no more', () => {
    expect(compareNewest(note, checkpoint(2))).toBeUndefined();
    expect(compareNewest(note, checkpoint(1))?.message).toContain('it was lost there');
    expect(compareNewest(note, undefined)?.message).toContain('it was lost there');
    expect(compareNewest(GOLDEN[0] as NamedCheckpoint, undefined)).toBeUndefined();
  });

  it('is missing in an emptied store', () => {
    expect(compareNewest(undefined, checkpoint(2))?.message).toContain('it was emptied');
    expect(compareNewest(undefined, undefined)).toBeUndefined();
  });
});
