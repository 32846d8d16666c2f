import { NO_STREAM, StreamTombstoned } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

export const erasingContract = (fixture: Fixture): void => {
  describe('by truncation', () => {
    it('leaves the event of the revision and the later ones', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(5));
      await fixture.store.truncateBefore(stream, 3);
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 3 }, { revision: 4 }]);
      expect(await fixture.store.read(stream, { direction: 'backwards' })).toMatchObject([{ revision: 4 }, { revision: 3 }]);
      expect(await fixture.store.read(stream, { limit: 1 })).toMatchObject([{ revision: 3 }]);
    });

    it('leaves the revision as it is', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.truncateBefore(stream, 2);
      await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 2 });
      expect(await fixture.store.append(stream, 2, [event()])).toMatchObject({ revision: 3 });
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 2 }, { revision: 3 }]);
    });

    it('answers a repetition of erased events with success and stores nothing', async () => {
      const stream = fixture.stream();
      const batch = events(2);
      const { ids } = await fixture.store.append(stream, NO_STREAM, batch);
      await fixture.store.append(stream, 1, [event()]);
      await fixture.store.truncateBefore(stream, 2);
      expect(await fixture.store.append(stream, NO_STREAM, batch, { ids })).toMatchObject({ revision: 1 });
      expect(await fixture.store.read(stream)).toHaveLength(1);
    });

    it('may be repeated and goes forwards only', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(5));
      for (const revision of [3, 3, 1, 0]) await fixture.store.truncateBefore(stream, revision);
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 3 }, { revision: 4 }]);
    });

    it('keeps the retention, and a retention set later keeps the truncation', async () => {
      const stream = fixture.stream();
      await fixture.store.setRetention(stream, { maxCount: 2 });
      await fixture.store.append(stream, NO_STREAM, events(2));
      await fixture.store.truncateBefore(stream, 1);
      await fixture.store.append(stream, 1, events(3));
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 3 }, { revision: 4 }]);
      await fixture.store.truncateBefore(stream, 4);
      await fixture.store.setRetention(stream, { maxAge: 3_600 });
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 4 }]);
    });

    it('lets one of many parallel appends come next', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.truncateBefore(stream, 2);
      const outcomes = await Promise.allSettled(events(20).map((one) => fixture.store.append(stream, 2, [one])));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await fixture.store.read(stream)).toHaveLength(2);
    });

    it('holds after a restart', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.truncateBefore(stream, 2);
      await fixture.reopen();
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 2 }]);
    });

    it('refuses a tombstoned stream', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, [event()]);
      await fixture.store.tombstone(stream);
      await expect(fixture.store.truncateBefore(stream, 0)).rejects.toMatchObject({ name: 'StreamTombstoned', stream });
    });

    it.each([-1, 1.5, Number.NaN])('refuses %s as a revision', async (revision) => {
      await expect(fixture.store.truncateBefore(fixture.stream(), revision)).rejects.toBeInstanceOf(TypeError);
    });
  });

  describe('and the existence of a stream', () => {
    it('begins with the first event', async () => {
      const stream = fixture.stream();
      expect(await fixture.store.exists(stream)).toBe(false);
      await fixture.store.append(stream, NO_STREAM, [event()]);
      expect(await fixture.store.exists(stream)).toBe(true);
    });

    it('does not begin with a retention', async () => {
      const stream = fixture.stream();
      await fixture.store.setRetention(stream, { maxCount: 1 });
      expect(await fixture.store.exists(stream)).toBe(false);
    });

    it('outlives a tombstone, also of a stream without events', async () => {
      const [begun, never] = [fixture.stream(), fixture.stream()];
      await fixture.store.append(begun, NO_STREAM, [event()]);
      for (const stream of [begun, never]) {
        await fixture.store.tombstone(stream);
        expect(await fixture.store.exists(stream)).toBe(true);
      }
    });

    it('outlives the age of its events', async () => {
      const stream = fixture.stream();
      await fixture.store.setRetention(stream, { maxAge: 1 });
      await fixture.store.append(stream, NO_STREAM, [event()]);
      await fixture.passTime(1_200);
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.exists(stream)).toBe(true);
    });
  });

  describe('by a tombstone', () => {
    it('leaves nothing to read and closes the stream for ever', async () => {
      const stream = fixture.stream();
      const batch = events(2);
      await fixture.append(stream, NO_STREAM, batch);
      await fixture.store.tombstone(stream);
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.read(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
      for (const expected of [NO_STREAM, 0, 1, 2] as const) {
        const refused = fixture.append(stream, expected, [event()]);
        await expect(refused).rejects.toBeInstanceOf(StreamTombstoned);
        await expect(refused).rejects.toMatchObject({ stream });
      }
      await expect(fixture.append(stream, NO_STREAM, batch)).rejects.toBeInstanceOf(StreamTombstoned);
      await expect(fixture.store.setRetention(stream, { maxCount: 1 })).rejects.toBeInstanceOf(StreamTombstoned);
    });

    it('closes a stream that never existed, before its first event', async () => {
      const stream = fixture.stream();
      await fixture.store.tombstone(stream);
      await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
      expect(await fixture.store.read(stream)).toEqual([]);
    });

    it('closes a stream that has only a retention, and one that was truncated', async () => {
      const [retained, truncated] = [fixture.stream(), fixture.stream()];
      await fixture.store.setRetention(retained, { maxAge: 3_600 });
      await fixture.append(truncated, NO_STREAM, events(2));
      await fixture.store.truncateBefore(truncated, 1);
      for (const stream of [retained, truncated]) {
        await fixture.store.tombstone(stream);
        await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
      }
    });

    it('may be repeated', async () => {
      const stream = fixture.stream();
      await fixture.append(stream, NO_STREAM, [event()]);
      await fixture.store.tombstone(stream);
      await fixture.store.tombstone(stream);
      await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
    });

    it('holds after a restart', async () => {
      const stream = fixture.stream();
      await fixture.store.tombstone(stream);
      await fixture.reopen();
      await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
    });
  });
};
