import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AuthenticatedErasureList, type ErasureLine, ErasureMacs, FileErasureLines } from '#domain/identity';
import { SqliteEventStore } from '#engines/event-store';
import { type IdentityId, Secret, SystemClock } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { loadPlatformSettings } from '#service/config';
import { writeEventKeys } from '#testkit/config/event-key-file';

import { checkErasures, repairErasures, type RepairOptions } from '../src/store/repair-erasures.js';

let directory: string;
let macs: ErasureMacs;
/** Three genuine lines, each of which names the one before it. */
let genuine: readonly ErasureLine[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-repair-erasures-'));
  macs = new ErasureMacs(await writeEventKeys(at('keys')), 'development');
  const lines: ErasureLine[] = [];
  for (const person of ['ann', 'ben', 'eve']) lines.push(macs.signed(person as IdentityId, lines.length + 1, lines.at(-1)?.mac));
  genuine = lines;
});
afterEach(() => rm(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const settings = () => loadPlatformSettings({ DATA_DIR: directory });
const written = (lines: readonly object[]): Promise<void> =>
  writeFile(at('erasures.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const unsigned = (identityId: string) => ({ identityId, erasedAt: 1 });
const bytes = () => readFile(at('erasures.jsonl'), 'utf8');
const repaired = async (options: Partial<RepairOptions> = {}) => {
  const { reviewed = '' } = await checkErasures(settings());
  return repairErasures({ reviewed, keep: at('kept'), ...options }, settings());
};
/** A process of the service over the list. */
const read = () => new AuthenticatedErasureList(new FileErasureLines(at('erasures.jsonl')), macs).read();
const [ANN, BEN, EVE] = [0, 1, 2] as const;

describe('a list of erasures that is repaired', () => {
  const FAULTY: readonly (readonly [string, () => readonly object[], string, Partial<RepairOptions>])[] = [
    ['has a line of another party', () => [...genuine, unsigned('victim')], 'unsigned', { drop: ['victim'] }],
    ['names a listed person without a MAC', () => [unsigned('eve'), ...genuine], 'unsigned', {}],
    ['has a changed line', () => [...genuine, { ...genuine[ANN]!, identityId: 'victim' }], 'forged', { drop: ['victim'] }],
    ['names a listed person at another time', () => [...genuine, { ...genuine[ANN]!, erasedAt: 7 }], 'forged', {}],
    ['names a person at a time that there is not', () => [...genuine, { identityId: 'victim', erasedAt: 1e300 }], 'unsigned', { drop: ['victim'] }],
    ['repeats a line', () => [...genuine, genuine[BEN]!], 'repeated', {}],
    ['has two lines swapped', () => [genuine[ANN]!, genuine[EVE]!, genuine[BEN]!], 'moved', {}],
  ];

  it.each(FAULTY)(
    'has no fault, keeps each person whom the service has listed, and names no other person: it %s',
    async (_, lines, reason, options) => {
      await written(lines());
      const before = await bytes();
      expect((await checkErasures(settings())).faults.map((fault) => fault.reason)).toContain(reason);
      expect(await repaired(options)).toEqual({ entries: 3 });
      expect(await readFile(at('kept'), 'utf8')).toBe(before);
      for (const path of ['kept', 'erasures.jsonl']) expect((await stat(at(path))).mode & 0o777).toBe(0o600);
      const { entries, faults } = await read();
      expect([faults, [...entries.keys()].toSorted()]).toEqual([[], ['ann', 'ben', 'eve']]);
      expect([...entries.values()].toSorted()).toEqual([1, 2, 3]);
      expect((await checkErasures(settings())).faults).toEqual([]);
    },
  );

  it('goes on without a line that is gone on request alone', async () => {
    await written([genuine[ANN]!, genuine[EVE]!]);
    const before = await bytes();
    await expect(repaired()).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('the line before line 2 is gone') });
    expect(await bytes()).toBe(before);
    expect(await repaired({ acceptMissing: true })).toEqual({ entries: 2 });
    expect((await read()).faults).toEqual([]);
  });

  const foreign = new StaticKeyRing([{ id: 'stolen', key: new Secret(Buffer.alloc(32, 'stolen')) }]);
  const REFUSED: readonly (readonly [string, () => readonly object[], Partial<RepairOptions>, object])[] = [
    [
      'has changed since its check',
      () => [...genuine, genuine[BEN]!],
      { reviewed: 'another' },
      { exitCode: 1, message: expect.stringContaining('check it again') },
    ],
    ['has no fault', () => genuine, {}, { exitCode: 1, message: expect.stringContaining('no faults') }],
    [
      'has a line under a key that is missing, whatever is to be dropped',
      () => [...genuine, new ErasureMacs(foreign, 'development').signed('ida' as IdentityId, 1)],
      { drop: ['ida'] },
      { exitCode: 1, message: expect.stringContaining('put the key back') },
    ],
    [
      'names a person on no line of the service',
      () => [...genuine, unsigned('ida'), unsigned('victim')],
      { drop: ['victim'] },
      { exitCode: 1, message: expect.stringMatching(/line 4 "ida"\. Bring erased ones back/) },
    ],
    ['is to drop a person whom the service has listed', () => [...genuine, unsigned('eve')], { drop: ['eve'] }, { exitCode: 2 }],
    ['is to drop a person whom no line names', () => [...genuine, unsigned('eve')], { drop: ['victim'] }, { exitCode: 2 }],
  ];

  it.each(REFUSED)('is refused and stays as it is where it %s', async (_, lines, options, failure) => {
    await written(lines());
    const before = await bytes();
    await expect(repaired(options)).rejects.toMatchObject(failure);
    expect(await bytes()).toBe(before);
    await expect(stat(at('kept'))).rejects.toThrow('ENOENT');
  });

  it('is refused while the service runs, over a copy that is there, without the keys, and for the topic of Kafka', async () => {
    await written([...genuine, genuine[BEN]!]);
    const before = await bytes();
    const store = new SqliteEventStore({ path: at('countersign.sqlite'), clock: new SystemClock() });
    await expect(repaired()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('Stop the service') });
    await store.close();
    await writeFile(at('other'), 'of another inquiry');
    await expect(repaired({ keep: at('other') })).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('exists already') });
    expect(await readFile(at('other'), 'utf8')).toBe('of another inquiry');
    const kafka = loadPlatformSettings({ DATA_DIR: directory, KAFKA_BROKERS: '127.0.0.1:1' });
    await expect(repairErasures({ reviewed: '', keep: at('kept') }, kafka)).rejects.toMatchObject({ exitCode: 1 });
    await rm(at('keys'), { recursive: true });
    await expect(repaired()).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('event.json') });
    expect(await bytes()).toBe(before);
  });

  it('is none where no list is there, and that is no fault', async () => {
    expect(await checkErasures(settings())).toMatchObject({ entries: 0, faults: [] });
  });
});
