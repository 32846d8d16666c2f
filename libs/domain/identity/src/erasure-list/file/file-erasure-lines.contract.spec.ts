import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type IdentityId, ServiceUnavailable } from '#kernel';
import { ERASURE_MACS } from '#testkit/identity/erasure-list/erasure-macs';

import { erasureListContract } from '#testkit/identity/erasure-list/erasure-list.contract';
import { AuthenticatedErasureList } from '../authenticated-erasure-list.js';
import { FileErasureLines } from './file-erasure-lines.js';

describe('the list of erasures in a file', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'erasure-list-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const listAt = (path: string) => new AuthenticatedErasureList(new FileErasureLines(path), ERASURE_MACS);
  erasureListContract({ open: (name) => listAt(join(directory, name)) });

  const [ann, ben] = ['ann', 'ben'] as unknown as [IdentityId, IdentityId];

  it('leaves out a line that a crash has cut off, and keeps later additions', async () => {
    const path = join(directory, 'cut');
    const list = listAt(path);
    await list.add(ann, 1);
    await appendFile(path, '{"identityId":"car');
    expect(await list.all()).toEqual(new Map([[ann, 1]]));
    await list.add(ben, 2);
    const entries = new Map([
      [ann, 1],
      [ben, 2],
    ]);
    expect(await list.read()).toEqual({ entries, faults: [] });
    expect(await listAt(path).read()).toEqual({ entries, faults: [] });
  });

  it('is readable for its user only', async () => {
    const path = join(directory, 'mode');
    await listAt(path).add(ann, 1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is unavailable where the file cannot be written', async () => {
    await expect(listAt(join(directory, 'missing', 'file')).add(ann, 1)).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});
