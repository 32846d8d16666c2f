import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '../../kernel/fixed-clock.js';
import { eventually } from '#testkit/kernel/eventually';
import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';

import type { ProjectionFixture } from './projection-fixture.js';

/** Promises on a projection whose event store was restored from a copy that lacks events which the projection holds. */
export const olderCopyContract = (fixture: ProjectionFixture): void => {
  describe('over a store that was restored from an older copy', () => {
    let folder: string;
    const open = (name: string): SqliteEventStore => new SqliteEventStore({ path: join(folder, name), clock: new FixedClock() });
    const restore = (name: string): Promise<void> => fixture.replaceStore(open(name), ['a', 'b']);
    /** Starts a process: it shows these words of each thing in the end, after so many rebuilds. */
    const expectShown = async (expected: Readonly<Record<string, string>>, rebuilds: number): Promise<void> => {
      const { things, projections, metrics } = fixture.start();
      const words = async () => Object.fromEntries((await fixture.rows(things)).map((row) => [row.id, row.words]));
      await eventually(async () => isDeepStrictEqual(await words(), expected), { what: JSON.stringify(expected) });
      await projections.close();
      expect((await metrics.projectionRebuilds.get()).values.reduce((sum, { value }) => sum + value, 0)).toBe(rebuilds);
    };
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'older-copy-'));
      await restore('store');
      await fixture.say('a', 'one');
      await fixture.store.close();
      await copyFile(join(folder, 'store'), join(folder, 'copy'));
      await restore('store');
      await fixture.say('a', 'lost');
      await fixture.say('b', 'lost');
      await expectShown({ a: 'one lost', b: 'lost' }, 0);
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('is built anew when the copy ends before the checkpoint', async () => {
      await restore('copy');
      await expectShown({ a: 'one' }, 1);
      await fixture.say('b', 'two');
      await expectShown({ a: 'one', b: 'two' }, 0);
    });

    it.each([2, 5])('is built anew when the copy has grown to the checkpoint again, and beyond it (%d events)', async (count) => {
      await restore('copy');
      for (let number = 0; number < count; number++) await fixture.say('a', 'new');
      await expectShown({ a: ['one', ...Array.from({ length: count }, () => 'new')].join(' ') }, 1);
    });

    it('is built anew when the checkpoint lay at a foreign event that the copy lacks', async () => {
      const foreign = (): Promise<unknown> =>
        fixture.store.append(
          streamName('foreign', randomUUID()),
          NO_STREAM,
          Array.from({ length: 1_500 }, () => ({ type: 'Foreign', data: {} })),
        );
      const { things, projections } = fixture.start();
      await fixture.rows(things);
      await foreign();
      await eventually(async () => Number((await projections.list())[0]?.position) >= 1_000);
      await projections.close();
      await restore('copy');
      await fixture.say('b', 'two');
      await foreign();
      await expectShown({ a: 'one', b: 'two' }, 1);
    });

    it('goes on when the event at the checkpoint was erased', async () => {
      await fixture.store.tombstone(streamName('thing', 'b'));
      await fixture.say('a', 'three');
      await expectShown({ a: 'one lost three', b: 'lost' }, 0);
    });
  });
};
