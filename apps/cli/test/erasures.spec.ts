import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';

import { exportErasures, importErasures } from '../src/store/erasures.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-erasures-'));
});
afterEach(() => rm(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const line = (identityId: string): string => `${JSON.stringify({ identityId, erasedAt: 1 })}\n`;
const settings = () => loadPlatformSettings({ DATA_DIR: directory });
const persons = async (path: string): Promise<readonly string[]> =>
  [...(await readFile(path, 'utf8')).matchAll(/"identityId":"(.*?)"/g)].map(([, identityId = '']) => identityId).sort();

describe('a copy of the list of erasures', () => {
  it('gets what it lacks, and keeps its persons when the list was lost', async () => {
    await writeFile(at('erasures.jsonl'), line('ann') + line('ben'));
    expect(await exportErasures(at('copy'), settings())).toEqual({ added: 2, entries: 2 });
    expect((await stat(at('copy'))).mode & 0o777).toBe(0o600);
    await rm(at('erasures.jsonl'));
    expect(await exportErasures(at('copy'), settings())).toEqual({ added: 0, entries: 2 });
    await writeFile(at('erasures.jsonl'), line('eve'));
    expect(await exportErasures(at('copy'), settings())).toEqual({ added: 1, entries: 3 });
    expect(await persons(at('copy'))).toEqual(['ann', 'ben', 'eve']);
  });

  it('adds its persons to the list, a line that was cut off left out', async () => {
    await writeFile(at('erasures.jsonl'), line('eve'));
    await writeFile(at('copy'), `${line('ann')}${line('eve')}{"identityId":"be`);
    expect(await importErasures(at('copy'), settings())).toEqual({ added: 1, entries: 2 });
    expect(await persons(at('erasures.jsonl'))).toEqual(['ann', 'eve']);
  });

  it.each([undefined, '', 'no list'])('is refused without an entry: %s', async (content) => {
    if (content !== undefined) await writeFile(at('copy'), content);
    await expect(importErasures(at('copy'), settings())).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('holds no list') });
  });

  it('cannot be made while the list is unavailable', async () => {
    const away = loadPlatformSettings({ DATA_DIR: directory, KAFKA_BROKERS: '127.0.0.1:1' });
    await expect(exportErasures(at('copy'), away)).rejects.toMatchObject({ exitCode: 3 });
  });
});
