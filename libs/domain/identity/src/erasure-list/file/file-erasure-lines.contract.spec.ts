import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type IdentityId, ServiceUnavailable } from '#kernel';

import { erasureListContract } from '#testkit/identity/erasure-list/erasure-list.contract';
import { FileErasureList } from './file-erasure-list.js';

describe('FileErasureList', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'erasure-list-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  erasureListContract({ open: (name) => new FileErasureList(join(directory, name)) });

  const [ann, ben] = ['ann', 'ben'] as unknown as [IdentityId, IdentityId];

  it('leaves out a line that a crash has cut off, and keeps later additions', async () => {
    const path = join(directory, 'cut');
    const list = new FileErasureList(path);
    await list.add(ann, 1);
    await appendFile(path, '{"identityId":"car');
    expect(await list.all()).toEqual(new Map([[ann, 1]]));
    await list.add(ben, 2);
    expect(await list.all()).toEqual(
      new Map([
        [ann, 1],
        [ben, 2],
      ]),
    );
  });

  it('is readable for its user only', async () => {
    const path = join(directory, 'mode');
    await new FileErasureList(path).add(ann, 1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is unavailable where the file cannot be written', async () => {
    await expect(new FileErasureList(join(directory, 'missing', 'file')).add(ann, 1)).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});
