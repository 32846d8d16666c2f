import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AnchoredStore, SIGNER } from '#testkit/transparency-log/anchored-store';
import { type EventStore, ForwardingEventStore, SqliteEventStore } from '#engines/event-store';
import { authenticated } from '#testkit/event-store/authenticated';

import { HistoryRefused } from './history-refused.js';
import { KnownLeaves } from './known-leaves.js';
import { loadLeaves } from './open-history.js';
import { HISTORY_STREAM } from './streams.js';

const signal = new AbortController().signal;

describe('the writer of checkpoints', () => {
  let anchored: AnchoredStore;
  beforeEach(() => {
    anchored = new AnchoredStore();
  });
  afterEach(async () => {
    await anchored.sqlite.close();
    anchored[Symbol.dispose]();
  });

  const published = async (place = 0): Promise<{ readonly size: number; readonly root: Buffer } | undefined> => anchored.logs()[place]!.newest();
  const notes = async (): Promise<number> => ((await anchored.store.read(HISTORY_STREAM)).at(-1)?.revision ?? -1) + 1;
  /** The leaves at the place, proved by the root of its checkpoint. */
  const leavesAt = async (place = 0): Promise<KnownLeaves> => {
    const known = new KnownLeaves();
    const log = anchored.logs()[place]!;
    await loadLeaves(known, { log, checkpoint: await log.newest() });
    return known;
  };

  it('publishes a signed checkpoint over the guarded events, and none over others', async () => {
    await anchored.append('phone', 'a', ['PinAccepted']);
    await anchored.append('other', 'a', ['GuardedElsewhere']);
    await anchored.writer().write(signal);
    expect([await published(), await notes()]).toEqual([undefined, 0]);
    await anchored.append('phone', 'a', ['GuardedLock', 'PinAccepted', 'GuardedRevocation']);
    await anchored.append('right', 'b', ['GuardedGrant']);
    await anchored.writer().write(signal);
    expect(await published()).toMatchObject({ origin: 'countersign/test', size: 3, at: anchored.clock.now() });
    expect(readFileSync(join(anchored.folders[0]!, 'checkpoint'), 'utf8')).toContain(`— ${SIGNER.verifier.name} `);
    expect((await leavesAt()).size).toBe(3);
  });

  it('writes nothing while nothing guarded was stored', async () => {
    const writer = anchored.writer();
    await anchored.append('right', 'a', ['GuardedGrant']);
    for (let round = 0; round < 5; round++) {
      await writer.write(signal);
      await anchored.append('phone', 'a', ['PinAccepted']);
    }
    expect([await notes(), anchored.told]).toEqual([1, ['place 0: 1']]);
  });

  it('goes on where another process has stopped, over several bundles', async () => {
    for (const count of [1, 200, 100, 300, 400]) {
      await anchored.append('right', 'a', Array<string>(count).fill('GuardedGrant'));
      await anchored.writer().write(signal);
    }
    const known = await leavesAt();
    expect(known.size).toBe(1_001);
    expect((await published())?.root).toEqual(known.tree.root());
    expect(readdirSync(join(anchored.folders[0]!, 'tile/entries')).toSorted()).toEqual(['000', '000.p', '001', '001.p', '002', '002.p', '003.p']);
  });

  it('keeps of the parts of a bundle those of the last two checkpoints', async () => {
    const writer = anchored.writer();
    for (let round = 0; round < 10; round++) {
      await anchored.append('right', 'a', ['GuardedGrant']);
      await writer.write(signal);
    }
    expect(readdirSync(join(anchored.folders[0]!, 'tile/entries/000.p')).toSorted()).toEqual(['10', '9']);
  });

  it('publishes what was noted when it was ended in between, and the rest after it', async () => {
    await anchored.append('right', 'a', ['GuardedGrant', 'GuardedGrant']);
    const before = anchored.writer();
    await before.write(signal);
    await anchored.append('right', 'a', ['GuardedGrant']);
    /** Ends the process once the checkpoint is noted. */
    class Ending extends ForwardingEventStore {
      override async append(...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
        await super.append(...args);
        throw new Error('ended');
      }
    }
    await expect(anchored.writer(new Ending(anchored.store)).write(signal)).rejects.toThrow('ended');
    expect([(await published())?.size, await notes()]).toEqual([2, 2]);
    await anchored.append('right', 'a', ['GuardedGrant']);
    const next = anchored.writer();
    await next.write(signal);
    expect((await published())?.size).toBe(3);
    await next.write(signal);
    expect((await published())?.size).toBe(4);
    expect((await leavesAt()).size).toBe(4);
  });

  it('lets one of two writers win', async () => {
    await anchored.append('right', 'a', ['GuardedGrant']);
    const writers = [anchored.writer(), anchored.writer()];
    for (let round = 0; round < 3; round++) {
      await Promise.all(writers.map((writer) => writer.write(signal)));
      await anchored.append('right', 'a', ['GuardedGrant']);
    }
    await Promise.all(writers.map((writer) => writer.write(signal)));
    expect((await published())?.size).toBe(4);
    expect((await leavesAt()).size).toBe(4);
  });

  it('makes no leaves of what was erased before the history began', async () => {
    await anchored.append('phone', 'erased', ['GuardedEnrolment']);
    await anchored.append('phone', 'kept', ['GuardedEnrolment']);
    await anchored.store.tombstone('phone-erased' as never);
    await anchored.writer().write(signal);
    expect((await leavesAt()).size).toBe(1);
  });

  it('gives a place that was away what it lacks, from the other one', async () => {
    const two = new AnchoredStore(2);
    const [first = '', second = ''] = two.folders;
    await two.append('right', 'a', ['GuardedGrant']);
    await two.writer().write(signal);
    renameSync(second, `${second}.away`);
    const writer = two.writer();
    await two.append('right', 'a', Array<string>(600).fill('GuardedGrant'));
    await writer.write(signal);
    await two.append('right', 'a', Array<string>(10).fill('GuardedGrant'));
    await writer.write(signal);
    renameSync(`${second}.away`, second);
    await writer.write(signal);
    expect(readFileSync(join(second, 'checkpoint'), 'utf8')).toBe(readFileSync(join(first, 'checkpoint'), 'utf8'));
    const log = two.logs()[1]!;
    const known = new KnownLeaves();
    await loadLeaves(known, { log, checkpoint: await log.newest() });
    expect(known.size).toBe(611);
    expect(two.told).toContain('place 1: not published');
    await two.sqlite.close();
    two[Symbol.dispose]();
  });

  it('makes no folder where the place is not mounted', async () => {
    const [folder = ''] = anchored.folders;
    renameSync(folder, `${folder}.away`);
    await anchored.append('right', 'a', ['GuardedGrant']);
    await expect(anchored.writer().write(signal)).rejects.toThrow('no place of checkpoints answers');
    expect([existsSync(folder), await notes()]).toEqual([false, 0]);
    renameSync(`${folder}.away`, folder);
    await anchored.writer().write(signal);
    expect((await published())?.size).toBe(1);
  });

  describe('refuses to go on', () => {
    const refused = (reason: RegExp, writer = anchored.writer()): Promise<void> =>
      writer.write(signal).then(
        () => Promise.reject(new Error('went on')),
        (error: Error) => {
          expect(error).toBeInstanceOf(HistoryRefused);
          expect(error.message).toMatch(reason);
        },
      );
    const emptied = (): EventStore => authenticated(new SqliteEventStore({ path: ':memory:', clock: anchored.clock }));

    beforeEach(async () => {
      await anchored.append('right', 'a', ['GuardedGrant', 'GuardedGrant']);
      await anchored.writer().write(signal);
    });

    it('over a store that was emptied', async () => {
      await refused(/it was emptied/, anchored.writer(emptied()));
    });

    it('over an older copy of the store', async () => {
      const copy = emptied();
      await anchored.append('right', 'a', ['GuardedGrant'], copy);
      const place = readFileSync(join(anchored.folders[0]!, 'checkpoint'));
      const other = new AnchoredStore();
      await other.writer(copy).write(signal);
      await refused(/the store is an older copy/, anchored.writer(copy));
      expect(readFileSync(join(anchored.folders[0]!, 'checkpoint'))).toEqual(place);
      await other.sqlite.close();
      other[Symbol.dispose]();
    });

    it('over another store of as many leaves', async () => {
      const copy = emptied();
      await anchored.append('right', 'a', ['GuardedGrant', 'GuardedGrant'], copy);
      const other = new AnchoredStore();
      await other.writer(copy).write(signal);
      await refused(/another root of 2 leaves/, anchored.writer(copy));
      await other.sqlite.close();
      other[Symbol.dispose]();
    });

    it('where the place was emptied, or has an older checkpoint than was published', async () => {
      const [folder = ''] = anchored.folders;
      const older = readFileSync(join(folder, 'checkpoint'));
      for (let round = 0; round < 2; round++) {
        await anchored.append('right', 'a', ['GuardedGrant']);
        await anchored.writer().write(signal);
      }
      writeFileSync(join(folder, 'checkpoint'), older);
      await refused(/has 2 leaves, and one of 3 was published: it was lost there/);
      renameSync(join(folder, 'checkpoint'), join(folder, 'lost'));
      await refused(/has 0 leaves/);
    });

    it('over leaves outside of the store that have another root than was signed', async () => {
      const part = join(anchored.folders[0]!, 'tile/entries/000.p/2');
      writeFileSync(part, readFileSync(part, 'latin1').replace('GuardedGrant', 'GuardedOther'), 'latin1');
      await refused(/have not the root that was signed/);
    });

    it('with a checkpoint of another party', async () => {
      const path = join(anchored.folders[0]!, 'checkpoint');
      writeFileSync(path, readFileSync(path, 'utf8').replace('\n2\n', '\n1\n'));
      await expect(anchored.writer().write(signal)).rejects.toThrow('the signature of the note is wrong');
    });
  });

  it('tells when a place takes no checkpoint', async () => {
    const [folder = ''] = anchored.folders;
    await anchored.append('right', 'a', ['GuardedGrant']);
    writeFileSync(join(folder, 'tile'), 'no folder');
    await anchored.writer().write(signal);
    expect(anchored.told).toEqual(['place 0: not published']);
  });
});
