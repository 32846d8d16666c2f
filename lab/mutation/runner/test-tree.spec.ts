import { beforeEach, describe, expect, it } from '@jest/globals';

import { type TestOutcome, TestTree } from './test-tree.ts';

const LIMIT = { timeLimit: 5_000 };
const ends = (outcomes: readonly TestOutcome[]) => outcomes.map(({ id, failure }) => [id, failure]);

describe('the tests of a part', () => {
  let tree: TestTree;
  let said: string[];
  const say = (word: string) => () => void said.push(word);
  const fail = (reason: string) => () => {
    throw new Error(reason);
  };

  beforeEach(() => {
    tree = new TestTree();
    said = [];
  });

  it('run in their order, between the hooks of their blocks, as often as wanted', async () => {
    await tree.file('a.spec.ts', async () => {
      tree.hook('beforeEach', say('outer'));
      tree.describe('block', () => {
        tree.hook('beforeAll', say('first'));
        tree.hook('beforeEach', say('inner'));
        tree.hook('afterEach', say('after'));
        tree.hook('afterAll', say('last'));
        tree.test('one', say('one'));
        tree.test('two', say('two'));
      });
    });
    expect(ends(await tree.run(LIMIT))).toEqual([
      ['a.spec.ts › block › one', undefined],
      ['a.spec.ts › block › two', undefined],
    ]);
    const once = ['first', 'outer', 'inner', 'one', 'after', 'outer', 'inner', 'two', 'after', 'last'];
    expect(said).toEqual(once);
    await tree.run(LIMIT);
    expect(said).toEqual([...once, ...once]);
  });

  it('have different ids, also under one title, and run alone by their id', async () => {
    await tree.file('a.spec.ts', async () => {
      for (const word of ['one', 'two', 'three']) tree.test('same', say(word));
    });
    await tree.run({ ...LIMIT, only: new Set(['a.spec.ts › same (2)']) });
    expect(said).toEqual(['two']);
  });

  it('fail by an error, by a rejected promise, and by a hook', async () => {
    await tree.file('a.spec.ts', async () => {
      tree.test('throws', fail('no'));
      tree.test('rejects', () => Promise.reject(new Error('never')));
      tree.describe('block', () => {
        tree.hook('beforeAll', fail('not ready'));
        tree.test('waits', say('waits'));
      });
    });
    expect(ends(await tree.run(LIMIT)).map(([, failure]) => failure)).toEqual(['no', 'never', 'not ready']);
    expect(said).toEqual([]);
  });

  it('end at the first failure when asked to, and still clear up', async () => {
    await tree.file('a.spec.ts', async () => {
      tree.hook('afterAll', say('cleared'));
      tree.test('throws', fail('no'));
      tree.test('other', say('other'));
    });
    expect(await tree.run({ ...LIMIT, bail: true })).toHaveLength(1);
    expect(said).toEqual(['cleared']);
  });

  it('that do not end fail, and say that something may go on', async () => {
    await tree.file('a.spec.ts', async () => tree.test('hangs', () => new Promise(() => undefined)));
    expect(await tree.run({ timeLimit: 1 })).toMatchObject([{ failure: 'did not end in time', hung: true }]);
  });

  it('are told apart while they run; what the hooks of a block do counts for its tests', async () => {
    const told: (string | undefined)[] = [];
    await tree.file('a.spec.ts', async () => {
      tree.hook('beforeAll', say('first'));
      tree.test('one', say('one'));
    });
    await tree.run({ ...LIMIT, now: (id) => told.push(id) });
    const hooks = 'hooks of  › a.spec.ts';
    expect(told.filter((id) => id !== undefined && !id.startsWith('hooks of '))).toEqual(['a.spec.ts › one', 'a.spec.ts › one']);
    expect(told).toContain(hooks);
    expect(tree.hookedTests().get(hooks)).toEqual(['a.spec.ts › one']);
  });
});
