import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AuthenticatedErasureList, ErasureMacs, FileErasureLines } from '#domain/identity';
import { loadPlatformSettings } from '#service/config';
import { type IdentityId, type KeyRing, Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { writeEventKeys } from '#testkit/config/event-key-file';
import { exportErasures, importErasures } from '../src/store/erasures.js';

let directory: string;
let ring: KeyRing;
let macs: ErasureMacs;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-erasures-'));
  ring = await writeEventKeys(at('keys'));
  macs = new ErasureMacs(ring, 'development');
});
afterEach(() => rm(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const line = (identityId: string): string => `${JSON.stringify(macs.signed(identityId as IdentityId, 1))}\n`;
const unsigned = (identityId: string): string => `${JSON.stringify({ identityId, erasedAt: 1 })}\n`;
const key = (id: string) => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const foreign = () => new StaticKeyRing([key('stolen')]);
const listed = async () => [...(await new AuthenticatedErasureList(new FileErasureLines(at('erasures.jsonl')), macs).all()).keys()].toSorted();
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
    expect(await listed()).toEqual(['ann', 'eve']);
  });

  it.each([undefined, '', 'no list'])('is refused without an entry: %s', async (content) => {
    if (content !== undefined) await writeFile(at('copy'), content);
    await expect(importErasures(at('copy'), settings())).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('holds no list'),
    });
  });

  it('is made without the keys, line by line as the list has them', async () => {
    await writeFile(at('erasures.jsonl'), unsigned('eve') + line('ann'));
    await rm(at('keys'), { recursive: true });
    expect(await exportErasures(at('copy'), settings())).toEqual({ added: 2, entries: 2 });
    // The genuine line comes behind one that another party has written of the same person.
    await writeFile(at('erasures.jsonl'), unsigned('eve') + line('ann') + line('eve'));
    expect(await exportErasures(at('copy'), settings())).toEqual({ added: 0, entries: 2 });
    expect((await readFile(at('copy'), 'utf8')).split('\n').filter(Boolean)).toEqual(
      `${unsigned('eve')}${line('ann')}${line('eve')}`.trim().split('\n'),
    );
  });

  it.each([
    ['without a MAC', unsigned, 'line 2 has no MAC'],
    ['without a MAC of a person whom another line lists', () => unsigned('ann'), 'line 2 has no MAC'],
    ['with the MAC of another person', (id: string) => line('ben').replace('ben', id), 'line 2 has a wrong MAC'],
    [
      'of another environment',
      (id: string) => JSON.stringify(new ErasureMacs(ring, 'staging').signed(id as IdentityId, 1)),
      'line 2 has a wrong MAC',
    ],
    ['under another key', (id: string) => JSON.stringify(new ErasureMacs(foreign(), 'development').signed(id as IdentityId, 1)), 'event.json lacks'],
  ])('is refused as a whole where it has a line %s', async (_, forged, message) => {
    await writeFile(at('copy'), line('ann') + forged('eve'));
    await expect(importErasures(at('copy'), settings())).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining(message) });
    expect(await listed()).toEqual([]);
  });

  it('needs the keys to be brought back, and makes none', async () => {
    await writeFile(at('copy'), line('ann'));
    await rm(at('keys'), { recursive: true });
    await expect(importErasures(at('copy'), settings())).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('event.json') });
    await expect(stat(at('keys'))).rejects.toThrow();
  });

  it('cannot be made while the list is unavailable', async () => {
    const away = loadPlatformSettings({ DATA_DIR: directory, KAFKA_BROKERS: '127.0.0.1:1' });
    await expect(exportErasures(at('copy'), away)).rejects.toMatchObject({ exitCode: 3 });
  });
});
