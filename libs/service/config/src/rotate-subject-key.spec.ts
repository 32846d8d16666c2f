import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SilentLog } from '#telemetry';

import { findRetirableKey, generateKeyFiles, listKeys, removeKey } from './key-files.js';
import { KeyDirectory } from './key-directory.js';
import { rotateSubjectKey, type SubjectRotation } from './rotate-subject-key.js';

const DAY = 86_400_000;
const LEAD = 600_000;
const randomness = new SystemRandomness();

let path: string;
let clock: FixedClock;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'rotate-subject-'));
  clock = new FixedClock();
  await generateKeyFiles(path, { clock, randomness });
});
afterEach(() => rm(path, { recursive: true }));

const file = (name = 'subject') => join(path, `${name}.json`);
const open = () => KeyDirectory.open({ path, clock, randomness, log: new SilentLog(), guarded: true });
const rotate = (rotation: SubjectRotation = { until: clock.now() + 30 * DAY }) => rotateSubjectKey(path, rotation, { clock, randomness });
const states = async () => (await listKeys(path, { clock })).filter(({ file: name }) => name === 'subject').map(({ state }) => state);

describe('a rotation of the subject key', () => {
  it('reaches a running service, which makes new values from the named time on and accepts the former ones until the end', async () => {
    using keys = await open();
    const former = keys.subject.current();
    const [next] = await rotate({ from: clock.now() + DAY, until: clock.now() + 2 * DAY });
    await keys.reread();
    expect(keys.subject.current().id).toBe(former.id);
    expect(keys.subject.accepted().map(({ id }) => id)).toEqual([former.id, next?.id]);
    expect(await states()).toEqual(['next', 'current']);
    clock.advance(DAY);
    expect(keys.subject.current().id).toBe(next?.id);
    expect(keys.subject.migration()).toMatchObject({ changesAt: clock.now(), endsAt: clock.now() + DAY });
    clock.advance(DAY);
    expect(keys.subject.accepted().map(({ id }) => id)).toEqual([next?.id]);
    expect(keys.subject.all().map(({ id }) => id)).toEqual([former.id, next?.id]);
    expect(keys.subject.migration()).toBeUndefined();
    expect(await states()).toEqual(['current', 'former']);
  });

  it('that was interrupted before the file was replaced has changed nothing, and may be repeated', async () => {
    const before = await readFile(file(), 'utf8');
    await writeFile(`${file()}.${process.pid}.new`, '[{"id":"half');
    using keys = await open();
    expect(await readFile(file(), 'utf8')).toBe(before);
    await rotate();
    await keys.reread();
    expect(keys.subject.all()).toHaveLength(2);
  });

  it('is refused until the former key of the rotation before is retired', async () => {
    const [second] = await rotate();
    clock.advance(31 * DAY);
    const before = await readFile(file(), 'utf8');
    await expect(rotate()).rejects.toThrow(/still holds the former key .*: retire it before the next rotation/);
    expect(await readFile(file(), 'utf8')).toBe(before);
    const [first] = (await listKeys(path, { clock })).filter(({ file: name, state }) => name === 'subject' && state === 'former');
    await removeKey(path, await findRetirableKey(path, 'subject', first?.id ?? '', { clock }));
    const [third, formerly] = await rotate();
    expect([formerly?.id, third?.state]).toEqual([second?.id, 'next']);
  });

  it.each([
    ['begins before every service has read it', { from: LEAD - 1, until: DAY }, 'a new subject key begins at'],
    ['begins at no time', { from: Number.NaN, until: DAY }, 'a new subject key begins at'],
    ['ends when it begins', { until: LEAD }, 'beyond the beginning of the new key'],
    ['ends at no time', { until: Number.NaN }, 'beyond the beginning of the new key'],
  ])('is refused when it %s', async (_, { from, until }: SubjectRotation, message) => {
    const before = await readFile(file(), 'utf8');
    await expect(rotate({ from: from === undefined ? undefined : clock.now() + from, until: clock.now() + until })).rejects.toThrow(message);
    expect(await readFile(file(), 'utf8')).toBe(before);
  });
});

describe('a subject.json with two keys', () => {
  const entries = async () => JSON.parse(await readFile(file(), 'utf8')) as [Record<string, unknown>, Record<string, unknown>];

  it.each([
    ['without an end', ([former, next]: object[]) => [{ ...former, acceptedUntil: undefined }, next], 'it must hold exactly one key'],
    ['with a third one', ([former, next]: object[]) => [former, next, { ...next, id: 'third' }], 'it must hold exactly one key'],
    ['with two ends', ([former, next]: object[]) => [former, { ...next, acceptedUntil: '2030-01-01T00:00:00Z' }], 'belongs to the former key alone'],
    [
      'with an end before the change',
      ([former, next]: object[]) => [{ ...former, acceptedUntil: '2026-01-01T00:00:00Z' }, next],
      'must be later than',
    ],
    [
      'with an end that is no time',
      ([former, next]: object[]) => [{ ...former, acceptedUntil: 'soon' }, next],
      'acceptedUntil must be a date and time',
    ],
    ['that are the same', ([former, next]: { key?: string }[]) => [former, { ...next, key: former?.key }], 'both keys are the same'],
  ])('%s is refused', async (_, change, message) => {
    await rotate();
    await writeFile(file(), JSON.stringify(change(await entries())));
    await expect(open()).rejects.toThrow(message);
  });

  it('replaces that of a running service only when it holds the key that makes the values now', async () => {
    using keys = await open();
    const current = keys.subject.current();
    const foreign = { id: 'foreign', key: Buffer.alloc(32, 9).toString('base64'), notBefore: '2020-01-01T00:00:00Z', development: false };
    await writeFile(file(), JSON.stringify([foreign]));
    await keys.reread();
    expect(keys.subject.current()).toEqual(current);
    expect(keys.subject.all()).toHaveLength(1);
  });
});
