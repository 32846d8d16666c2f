import { NO_STREAM, StreamTombstoned } from '../event-store.js';
import { event, events, type Fixture } from './fixture.js';

export const erasingContract = (fixture: Fixture): void => {
  describe('by deleting', () => {
    it('leaves nothing to read', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.delete(stream);
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.read(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
      expect(await fixture.store.read(stream, { from: 1 })).toEqual([]);
    });

    it('lets the stream begin again at the next revision', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.delete(stream);
      const again = event();
      expect(await fixture.store.append(stream, NO_STREAM, [again])).toEqual({ revision: 3 });
      expect(await fixture.store.append(stream, 3, [event()])).toEqual({ revision: 4 });
      expect(await fixture.store.read(stream)).toMatchObject([{ id: again.id, revision: 3 }, { revision: 4 }]);
      await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 4 });
    });

    it('lets one of many parallel appends begin again', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.delete(stream);
      const outcomes = await Promise.allSettled(events(20).map((one) => fixture.store.append(stream, NO_STREAM, [one])));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await fixture.store.read(stream)).toHaveLength(1);
    });

    it('answers a repetition of the old ids with success and stores nothing', async () => {
      const stream = fixture.stream();
      const batch = events(2);
      await fixture.store.append(stream, NO_STREAM, batch);
      await fixture.store.delete(stream);
      expect(await fixture.store.append(stream, NO_STREAM, batch)).toEqual({ revision: 1 });
      expect(await fixture.store.read(stream)).toEqual([]);
    });

    it('does nothing to a stream that does not exist', async () => {
      const stream = fixture.stream();
      await fixture.store.delete(stream);
      expect(await fixture.store.append(stream, NO_STREAM, [event()])).toEqual({ revision: 0 });
      expect(await fixture.store.read(stream)).toHaveLength(1);
    });

    it('may be repeated', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(2));
      await fixture.store.delete(stream);
      await fixture.store.delete(stream);
      expect(await fixture.store.append(stream, NO_STREAM, [event()])).toEqual({ revision: 2 });
      await fixture.store.delete(stream);
      expect(await fixture.store.read(stream)).toEqual([]);
    });

    it('is not undone by a retention set afterwards', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.delete(stream);
      await fixture.store.setRetention(stream, { maxCount: 10, maxAge: 3_600 });
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.append(stream, NO_STREAM, [event()])).toEqual({ revision: 3 });
      expect(await fixture.store.read(stream)).toMatchObject([{ revision: 3 }]);
    });

    it('holds after a restart', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, events(3));
      await fixture.store.delete(stream);
      await fixture.reopen();
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.append(stream, NO_STREAM, [event()])).toEqual({ revision: 3 });
    });
  });

  describe('by a tombstone', () => {
    it('leaves nothing to read and closes the stream for ever', async () => {
      const stream = fixture.stream();
      const batch = events(2);
      await fixture.store.append(stream, NO_STREAM, batch);
      await fixture.store.tombstone(stream);
      expect(await fixture.store.read(stream)).toEqual([]);
      expect(await fixture.store.read(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
      for (const expected of [NO_STREAM, 0, 1, 2] as const) {
        const refused = fixture.store.append(stream, expected, [event()]);
        await expect(refused).rejects.toBeInstanceOf(StreamTombstoned);
        await expect(refused).rejects.toMatchObject({ stream });
      }
      await expect(fixture.store.append(stream, NO_STREAM, batch)).rejects.toBeInstanceOf(StreamTombstoned);
      await expect(fixture.store.setRetention(stream, { maxCount: 1 })).rejects.toBeInstanceOf(StreamTombstoned);
    });

    it('closes a stream that never existed, before its first event', async () => {
      const stream = fixture.stream();
      await fixture.store.tombstone(stream);
      await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
      expect(await fixture.store.read(stream)).toEqual([]);
    });

    it('closes a stream that has only a retention, and one that was deleted', async () => {
      const [retained, deleted] = [fixture.stream(), fixture.stream()];
      await fixture.store.setRetention(retained, { maxAge: 3_600 });
      await fixture.store.append(deleted, NO_STREAM, [event()]);
      await fixture.store.delete(deleted);
      for (const stream of [retained, deleted]) {
        await fixture.store.tombstone(stream);
        await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
      }
    });

    it('may be repeated, and a deletion adds nothing to it', async () => {
      const stream = fixture.stream();
      await fixture.store.append(stream, NO_STREAM, [event()]);
      await fixture.store.tombstone(stream);
      await fixture.store.tombstone(stream);
      await fixture.store.delete(stream);
      await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
    });

    it('holds after a restart', async () => {
      const stream = fixture.stream();
      await fixture.store.tombstone(stream);
      await fixture.reopen();
      await expect(fixture.store.append(stream, NO_STREAM, [event()])).rejects.toBeInstanceOf(StreamTombstoned);
    });
  });
};
