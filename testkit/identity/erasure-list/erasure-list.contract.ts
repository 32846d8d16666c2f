import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type IdentityId, SystemRandomness } from '#kernel';

import type { ErasureList } from '#domain/identity';

export interface ErasureListFixture {
  /** Another object on the same list, like one in another process; with a new name, a list that nothing was added to. */
  open(name: string): ErasureList;
}

const randomness = new SystemRandomness();
const person = (): IdentityId => randomness.uuid<IdentityId>();

/** The guarantees of every erasure list. */
export const erasureListContract = (fixture: ErasureListFixture): void => {
  describe('an erasure list', () => {
    let name: string;
    let lists: ErasureList[];
    const open = (): ErasureList => {
      const list = fixture.open(name);
      lists.push(list);
      return list;
    };
    beforeEach(() => {
      name = randomness.bytes(6).toString('hex');
      lists = [];
    });
    afterEach(() => Promise.all(lists.map((list) => list.close())));

    it('is empty at first', async () => {
      expect(await open().all()).toEqual(new Map());
    });

    it('shows every addition to each process, also to one that has read the list before', async () => {
      const [one, other] = [open(), open()];
      const [ann, ben] = [person(), person()];
      await one.add(ann, 1_000);
      expect(await other.all()).toEqual(new Map([[ann, 1_000]]));
      await one.add(ben, 2_000);
      const both = new Map([
        [ann, 1_000],
        [ben, 2_000],
      ]);
      expect(await other.all()).toEqual(both);
      expect(await one.all()).toEqual(both);
      expect(await open().all()).toEqual(both);
    });

    it('holds a person once, with the last time', async () => {
      const list = open();
      const ann = person();
      await list.add(ann, 1_000);
      await list.add(ann, 3_000);
      expect(await list.all()).toEqual(new Map([[ann, 3_000]]));
    });

    it('holds all of many that are added at once', async () => {
      const list = open();
      const many = Array.from({ length: 50 }, (_, index) => [person(), index] as const);
      await Promise.all(many.map(([identityId, at]) => list.add(identityId, at)));
      expect(await open().all()).toEqual(new Map(many));
    });
  });
};
