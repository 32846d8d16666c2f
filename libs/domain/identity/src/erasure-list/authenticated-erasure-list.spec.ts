import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type IdentityId, KeyRing, type RingKey, Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { AuthenticatedErasureList } from './authenticated-erasure-list.js';
import type { ErasureLine } from './erasure-lines.js';
import { ErasureMacs } from './erasure-macs.js';
import { FileErasureLines } from './file/file-erasure-lines.js';

const key = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const macs = (ring: KeyRing = new StaticKeyRing([key('event')]), environment = 'test') => new ErasureMacs(ring, environment);
const [ann, ben, cid, eve] = ['ann', 'ben', 'cid', 'eve'] as unknown as [IdentityId, IdentityId, IdentityId, IdentityId];
const THREE = new Map([
  [ann, 1],
  [ben, 2],
  [cid, 3],
]);

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erasure-list-'));
  path = join(directory, 'list');
  const list = opened();
  for (const [identityId, erasedAt] of THREE) await list.add(identityId, erasedAt);
});
afterEach(() => rm(directory, { recursive: true }));

const opened = (by = macs()) => new AuthenticatedErasureList(new FileErasureLines(path), by);
const lines = async (): Promise<readonly ErasureLine[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as ErasureLine);
const write = (list: readonly ErasureLine[]): Promise<void> => writeFile(path, list.map((line) => `${JSON.stringify(line)}\n`).join(''));
/** The persons of the list as a process that begins now has it, and the reasons and persons of the faults. */
const found = async (list = opened()) => {
  const { entries, faults } = await list.read();
  return { persons: [...entries.keys()].toSorted(), faults: faults.map(({ reason, identityId }) => `${reason} ${identityId}`).toSorted() };
};
type Lines = readonly [ErasureLine, ErasureLine, ErasureLine];

/** Each change of the file, the persons who stay listed, and what is told of it. */
const ATTACKS: readonly (readonly [string, (list: Lines) => readonly ErasureLine[], readonly IdentityId[], readonly string[]])[] = [
  ['nothing', (list) => list, [ann, ben, cid], []],
  ['a line without a MAC', (list) => [...list, { identityId: eve, erasedAt: 4 }], [ann, ben, cid], ['unsigned eve']],
  ['a line with a text in place of a MAC', (list) => [...list, { identityId: eve, erasedAt: 4, mac: 'none' }], [ann, ben, cid], ['forged eve']],
  ['a line with the MAC of another one', (list) => [...list, { ...list[2], identityId: eve }], [ann, ben, cid], ['forged eve']],
  ['a line of another environment', (list) => [...list, macs(undefined, 'staging').signed(eve, 4)], [ann, ben, cid], ['forged eve']],
  ['a line under another key', (list) => [...list, macs(new StaticKeyRing([key('stolen')])).signed(eve, 4)], [ann, ben, cid], ['key eve']],
  ['another person in a line', ([one, two, three]) => [one, { ...two, identityId: eve }, three], [ann, cid], ['forged eve']],
  ['another time in a line', ([one, two, three]) => [one, { ...two, erasedAt: 9 }, three], [ann, cid], ['forged ben']],
  ['another line before it in a line', ([one, two, three]) => [one, two, { ...three, after: one.mac! }], [ann, ben], ['forged cid']],
  ['no line before it in a line', ([one, two, { after: _, ...three }]) => [one, two, three], [ann, ben], ['forged cid']],
  ['the first line removed', ([, two, three]) => [two, three], [ben, cid], ['missing ben']],
  ['a line in the middle removed', ([one, , three]) => [one, three], [ann, cid], ['missing cid']],
  ['two lines swapped', ([one, two, three]) => [one, three, two], [ann, ben, cid], ['moved cid']],
  ['a line repeated', ([one, two, three]) => [one, two, three, two], [ann, ben, cid], ['repeated ben']],
];

describe('a list of erasures that another party has changed', () => {
  it.each(ATTACKS)('names: %s', async (_, change, persons, faults) => {
    await write(change((await lines()) as unknown as Lines));
    expect(await found()).toEqual({ persons, faults });
  });

  it.each(ATTACKS)('keeps every person whom a process knows: %s', async (_, change) => {
    const list = opened();
    await list.read();
    await write(change((await lines()) as unknown as Lines));
    const { entries } = await list.read();
    expect([...entries].toSorted()).toEqual([...THREE]);
    expect([...(await opened().all())].toSorted()).toEqual([...THREE]);
  });

  it.each([
    ['cut at its end', 2, ['missing cid']],
    ['emptied', 0, ['missing ann', 'missing ben', 'missing cid']],
  ])('is written again by a process that knows it: one that was %s', async (_, left, faults) => {
    const list = opened();
    await list.read();
    await write((await lines()).slice(0, left));
    expect(await found(list)).toEqual({ persons: [ann, ben, cid], faults });
    expect((await found()).persons).toEqual([ann, ben, cid]);
    expect(await found(list)).toMatchObject({ persons: [ann, ben, cid] });
  });

  it('is told of by its end alone to a process that knows it', async () => {
    await write((await lines()).slice(0, 2));
    expect(await found()).toEqual({ persons: [ann, ben], faults: [] });
  });

  it('goes on after a line that is no one of ours, and names the last one that is', async () => {
    await appendFile(path, `${JSON.stringify({ identityId: eve, erasedAt: 4 })}\n`);
    await opened().add(eve, 5);
    const all = await lines();
    expect(all.at(-1)?.after).toBe(all[2]?.mac);
    expect(await found()).toEqual({ persons: [ann, ben, cid, eve], faults: ['unsigned eve'] });
  });
});

describe('a list of erasures', () => {
  it('is taken from two processes that have each named the same line before theirs', async () => {
    const [one, other] = [opened(), opened()];
    await Promise.all([one.read(), other.read()]);
    await one.add(eve, 4);
    await other.add('fay' as IdentityId, 5);
    expect(await found()).toEqual({ persons: [ann, ben, cid, eve, 'fay'], faults: [] });
  });

  it('is checked under every key of the ring, and under one that another service has begun to use', async () => {
    const newer = new StaticKeyRing([key('newer'), key('event')]);
    await opened(macs(newer)).add(eve, 4);
    expect(await found(opened(macs(newer)))).toEqual({ persons: [ann, ben, cid, eve], faults: [] });
    class RereadRing extends KeyRing {
      #keys: KeyRing = new StaticKeyRing([key('event')]);
      override current = () => this.#keys.current();
      override find = (id: string) => this.#keys.find(id);
      override async reread(): Promise<void> {
        this.#keys = newer;
      }
    }
    expect(await found(opened(macs(new RereadRing())))).toEqual({ persons: [ann, ben, cid, eve], faults: [] });
  });
});
