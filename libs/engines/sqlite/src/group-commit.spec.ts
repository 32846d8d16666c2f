import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { ServiceUnavailable } from '#kernel';

import { DatabaseFiles } from './database-files.js';
import { GroupCommit } from './group-commit.js';

class Refusal extends Error {}

const owner = {
  name: 'word list',
  unavailable: (reason: string) => new ServiceUnavailable(reason),
  isRefusal: (error: unknown) => error instanceof Refusal,
};

describe('GroupCommit', () => {
  let database: DatabaseSync;
  let commits: number;
  let group: GroupCommit;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE words (word TEXT)');
    commits = 0;
    group = new GroupCommit(database, owner, () => (commits += 1), new DatabaseFiles(database));
  });
  afterEach(async () => {
    await group.close();
    database.close();
  });

  const write = (word: string): Promise<unknown> => group.run(() => database.prepare('INSERT INTO words VALUES (?)').run(word));
  const refuse = (): never => {
    throw new Refusal();
  };
  const words = (): unknown[] =>
    database
      .prepare('SELECT word FROM words')
      .all()
      .map(({ word }) => word);

  it('shares one transaction between all that waits', async () => {
    await Promise.all(['a', 'b', 'c'].map(write));
    expect(words()).toEqual(['a', 'b', 'c']);
    expect(commits).toBe(1);
  });

  it('splits much work into several transactions, in order', async () => {
    const crowd = Array.from({ length: 2_500 }, (_, number) => `${number}`);
    await Promise.all(crowd.map(write));
    expect(words()).toEqual(crowd);
    expect(commits).toBe(3);
  });

  it('settles no work before the commit', async () => {
    let answered = false;
    let seenInside = true;
    const first = write('a').then(() => (answered = true));
    await Promise.all([first, group.run(() => (seenInside = answered))]);
    expect(seenInside).toBe(false);
  });

  it('judges each piece of work alone', async () => {
    const outcomes = await Promise.allSettled([write('a'), group.run(refuse), write('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(Refusal) });
    expect(words()).toEqual(['a', 'b']);
  });

  it('does nothing when the disk is full, rejects for every caller, and goes on when there is room', async () => {
    await write('before');
    const { page_count: pages } = database.prepare('PRAGMA page_count').get()!;
    database.exec(`PRAGMA max_page_count = ${Number(pages) + 4}`);
    const outcomes = await Promise.allSettled([write('a'), group.run(refuse), write('x'.repeat(100_000)), write('b')]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(ServiceUnavailable) });
    expect(outcomes[0]).toMatchObject({ reason: { code: 'service_unavailable', reason: expect.stringContaining('full') } });
    expect(words()).toEqual(['before']);
    await write('small');
    database.exec('PRAGMA max_page_count = 1000');
    await write('x'.repeat(100_000));
    expect(words()).toHaveLength(3);
  });

  it('stores nothing when the commit fails', async () => {
    database.exec(`
      PRAGMA foreign_keys = ON;
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE owned (owner REFERENCES owners DEFERRABLE INITIALLY DEFERRED);
    `);
    const orphan = group.run(() => database.exec('INSERT INTO owned VALUES (1)'));
    const outcomes = await Promise.allSettled([write('a'), orphan]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(ServiceUnavailable) });
    expect(words()).toEqual([]);
    await write('b');
    expect(words()).toEqual(['b']);
  });

  it('stores nothing when a piece of work has a fault', async () => {
    const fault = group.run(() => {
      database.exec(`INSERT INTO words VALUES ('half')`);
      throw new TypeError('a fault');
    });
    const outcomes = await Promise.allSettled([write('a'), fault]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(ServiceUnavailable) });
    expect(words()).toEqual([]);
  });

  it('makes the registered changes in memory after the commit, in order and before any caller gets its result; none when the commit fails', async () => {
    const done: string[] = [];
    const work = (word: string) =>
      group.run((afterCommit) => void afterCommit(() => done.push(`${word} of ${words().length}`))).then(() => done.push(`${word} heard`));
    await Promise.all([write('x'), work('a'), work('b')]);
    expect(done).toEqual(['a of 1', 'b of 1', 'a heard', 'b heard']);
    await Promise.allSettled([work('c'), group.run(() => database.exec('no such statement'))]);
    expect(done).toHaveLength(4);
  });

  describe('flushes what it has committed', () => {
    /** Of each flush that has begun. */
    let flushes: PromiseWithResolvers<void>[];

    beforeEach(async () => {
      await group.close();
      flushes = [];
      const flushLog = (): Promise<void> => {
        const flush = Promise.withResolvers<void>();
        flushes.push(flush);
        return flush.promise;
      };
      group = new GroupCommit(database, owner, () => (commits += 1), { flushLog, moveLog: async () => undefined });
    });

    const begun = async (): Promise<void> => {
      for (const before = flushes.length; flushes.length === before;) await nextTurn();
    };

    it('and makes no change in memory and answers nobody before', async () => {
      const done: string[] = [];
      const work = group.run((afterCommit) => void afterCommit(() => done.push('changed'))).then(() => done.push('answered'));
      await begun();
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      expect([done, commits]).toEqual([[], 0]);
      flushes[0]!.resolve();
      await work;
      expect([done, commits, group.flushing]).toEqual([['changed', 'answered'], 1, undefined]);
    });

    it('and begins one transaction afterwards, for all the work that has come meanwhile', async () => {
      const first = write('a');
      await begun();
      const others = [write('b'), write('c')];
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      expect([words(), flushes.length]).toEqual([['a'], 1]);
      flushes[0]!.resolve();
      await begun();
      expect(words()).toEqual(['a', 'b', 'c']);
      flushes[1]!.resolve();
      await Promise.all([first, ...others]);
      expect([commits, flushes.length]).toEqual([2, 2]);
    });

    it('not where all of the work was refused by the database', async () => {
      await expect(group.run(() => database.exec('no such statement'))).rejects.toBeInstanceOf(ServiceUnavailable);
      expect([flushes.length, group.flushing]).toEqual([0, undefined]);
    });

    it('and does no work any more after a flush that failed, since nobody can tell what is on disk', async () => {
      const outcomes = Promise.allSettled([write('a'), write('b')]);
      await begun();
      const waiting = expect(write('c')).rejects.toMatchObject({ reason: expect.stringContaining('EIO') });
      flushes[0]!.reject(new Error('EIO: i/o error'));
      for (const outcome of await outcomes)
        expect(outcome).toMatchObject({ reason: { code: 'service_unavailable', reason: expect.stringContaining('EIO') } });
      await waiting;
      await expect(write('d')).rejects.toMatchObject({ reason: expect.stringContaining('has to be started anew') });
      await expect(group.flushing).rejects.toBeInstanceOf(ServiceUnavailable);
      expect([words(), commits, flushes.length]).toEqual([['a', 'b'], 0, 1]);
    });
  });

  describe('moves the log into the main file', () => {
    /** What has begun and ended, in this order. */
    let steps: string[];
    /** Of each move that has begun. */
    let moves: PromiseWithResolvers<void>[];

    beforeEach(async () => {
      await group.close();
      [steps, moves] = [[], []];
      const moveLog = async (): Promise<void> => {
        const move = Promise.withResolvers<void>();
        moves.push(move);
        steps.push('move begins');
        await move.promise;
        steps.push('move ends');
      };
      group = new GroupCommit(database, owner, (pieces) => steps.push(`commit of ${pieces}`), { flushLog: async () => undefined, moveLog });
    });

    const begun = async (count: number): Promise<void> => {
      while (moves.length < count) await nextTurn();
    };
    const crowd = (size: number): Promise<unknown> => Promise.all(Array.from({ length: size }, (_, number) => write(`${number}`)));

    it('after each 500 pieces of work, which are answered before, and begins no transaction until it is there', async () => {
      await crowd(499);
      await write('last');
      await begun(1);
      const next = write('next');
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      expect([steps, words().length]).toEqual([['commit of 499', 'commit of 1', 'move begins'], 500]);
      moves[0]!.resolve();
      await next;
      await crowd(498);
      expect(steps.slice(3)).toEqual(['move ends', 'commit of 1', 'commit of 498']);
      void crowd(1);
      await begun(2);
      moves[1]!.resolve();
    });

    it('when the owner asks, who has a turn before the next transaction', async () => {
      const moved = group.moveLog().then(() => steps.push(`owner, of ${words().length}`));
      await begun(1);
      const next = write('next');
      moves[0]!.resolve();
      await Promise.all([moved, next]);
      expect(steps).toEqual(['move begins', 'move ends', 'owner, of 0', 'commit of 1']);
    });

    it('and does no work any more after a move that failed', async () => {
      const moved = group.moveLog();
      await begun(1);
      const next = write('next');
      moves[0]!.reject(new Error('EIO: i/o error'));
      await expect(moved).rejects.toMatchObject({ reason: expect.stringContaining('EIO') });
      await expect(next).rejects.toMatchObject({ reason: expect.stringContaining('has to be started anew') });
      await expect(group.moveLog()).rejects.toBeInstanceOf(ServiceUnavailable);
      expect([words(), moves.length]).toEqual([[], 1]);
    });

    it('not once it is closed', async () => {
      await group.close();
      await expect(group.moveLog()).rejects.toMatchObject({ reason: 'the word list is closed' });
    });
  });

  it('takes no more work once it is closed, and settles the accepted work', async () => {
    const taken = write('a');
    await group.close();
    await taken;
    await expect(write('b')).rejects.toMatchObject({ reason: 'the word list is closed' });
    expect(words()).toEqual(['a']);
  });
});
