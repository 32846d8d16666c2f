import { parseId } from '#kernel';

import { AppendTooLarge, MAX_APPEND_BYTES, type NewEvent, NO_STREAM, WrongExpectedRevision } from '#engines/event-store';
import { event, events, type Fixture, type IdentifiedEvent } from './fixture.js';

const HAPPENED = { type: 'Happened', data: {} };

export const appendingContract = (fixture: Fixture): void => {
  it('gives the first event revision 0 and answers the revision of the last', async () => {
    const stream = fixture.stream();
    expect(await fixture.append(stream, NO_STREAM, [event()])).toEqual({ revision: 0 });
    expect(await fixture.append(stream, 0, events(3))).toEqual({ revision: 3 });
    expect((await fixture.store.read(stream)).map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
  });

  it('refuses to begin a stream that has begun, and tells where it is', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(2));
    const refused = fixture.append(stream, NO_STREAM, [event()]);
    await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
    await expect(refused).rejects.toMatchObject({ stream, expected: NO_STREAM, actual: 1 });
  });

  it('refuses a revision that lies behind or ahead of the stream', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(3));
    await expect(fixture.append(stream, 1, [event()])).rejects.toMatchObject({ expected: 1, actual: 2 });
    await expect(fixture.append(stream, 3, [event()])).rejects.toMatchObject({ expected: 3, actual: 2 });
    expect(await fixture.store.read(stream)).toHaveLength(3);
  });

  it('refuses any revision of a stream that does not exist', async () => {
    const stream = fixture.stream();
    await expect(fixture.append(stream, 0, [event()])).rejects.toMatchObject({ expected: 0, actual: NO_STREAM });
  });

  it('lets one of many parallel first appends win; the others learn the actual revision', async () => {
    const stream = fixture.stream();
    const outcomes = await Promise.allSettled(events(50).map((contender) => fixture.append(stream, NO_STREAM, [contender])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as WrongExpectedRevision);
    expect(new Set(refusals.map(({ actual }) => actual))).toEqual(new Set([0]));
    expect(await fixture.store.read(stream)).toHaveLength(1);
  });

  it('lets one of many parallel appends at one revision win', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, [event()]);
    const outcomes = await Promise.allSettled(events(50).map((contender) => fixture.append(stream, 0, [contender])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: { revision: 1 } }]);
    expect(await fixture.store.read(stream)).toHaveLength(2);
  });

  it('lets every writer through that goes on from the actual revision', async () => {
    const stream = fixture.stream();
    const insist = async (contender: IdentifiedEvent): Promise<void> => {
      let expected: number | typeof NO_STREAM = NO_STREAM;
      for (;;) {
        try {
          await fixture.append(stream, expected, [contender]);
          return;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          expected = error.actual;
        }
      }
    };
    const all = events(20);
    await Promise.all(all.map(insist));
    const read = await fixture.store.read(stream);
    expect(read.map(({ revision }) => revision)).toEqual(all.map((_, index) => index));
    expect(new Set(read.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  });

  it('shows the stream up to the revision that a conflict names in every read that follows it', async () => {
    const behind: [actual: unknown, read: number | undefined][] = [];
    let conflicts = 0;
    for (let round = 0; round < 60; round += 1) {
      const stream = fixture.stream();
      if (round % 2 === 0) await fixture.append(stream, NO_STREAM, events(2));
      const expected = round % 2 === 0 ? 1 : NO_STREAM;
      const race = async (): Promise<void> => {
        const lost = await fixture.append(stream, expected, [event()]).then(
          () => undefined,
          (error: unknown) => {
            if (!(error instanceof WrongExpectedRevision)) throw error;
            return error;
          },
        );
        if (!lost) return;
        conflicts += 1;
        const [last] = await fixture.store.read(stream, { direction: 'backwards', limit: 1 });
        if (last?.revision !== lost.actual) behind.push([lost.actual, last?.revision]);
      };
      await Promise.all([race(), race()]);
    }
    expect(conflicts).toBe(60);
    expect(behind).toEqual([]);
  });

  it('appends all the events or none', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, [event()]);
    const outcomes = await Promise.allSettled([fixture.append(stream, 0, events(3)), fixture.append(stream, 0, events(5))]);
    const won = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value.revision;
    expect([3, 5]).toContain(won);
    expect((await fixture.store.read(stream)).at(-1)?.revision).toBe(won);
  });

  it('judges appends that arrive together each alone', async () => {
    const streams = Array.from({ length: 30 }, () => fixture.stream());
    await fixture.append(streams[0]!, NO_STREAM, [event()]);
    const outcomes = await Promise.allSettled(streams.map((stream) => fixture.append(stream, NO_STREAM, [event()])));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...streams.slice(1).map(() => 'fulfilled')]);
  });

  it('takes the data as it is when append is called', async () => {
    const stream = fixture.stream();
    const data = { amount: 1 };
    const appended = fixture.append(stream, NO_STREAM, [event(data)]);
    data.amount = 2;
    await appended;
    expect((await fixture.store.read(stream))[0]?.data).toEqual({ amount: 1 });
  });

  it('makes an id for each event, which reads then show', async () => {
    const stream = fixture.stream();
    const { ids } = await fixture.store.append(stream, NO_STREAM, [HAPPENED, HAPPENED]);
    expect(ids.map((id) => parseId(id))).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    expect((await fixture.store.read(stream)).map(({ id }) => id)).toEqual(ids);
  });

  it('takes equal events at an equal revision for two appends: the second one conflicts', async () => {
    const stream = fixture.stream();
    await fixture.store.append(stream, NO_STREAM, [HAPPENED]);
    await expect(fixture.store.append(stream, NO_STREAM, [HAPPENED])).rejects.toMatchObject({ expected: NO_STREAM, actual: 0 });
    expect(await fixture.store.read(stream)).toHaveLength(1);
  });

  it('refuses fewer or more ids than events', async () => {
    const stream = fixture.stream();
    const [{ id: first }, { id: second }] = [event(), event()];
    for (const ids of [[], [first, second]]) {
      await expect(fixture.store.append(stream, NO_STREAM, [HAPPENED], { ids })).rejects.toBeInstanceOf(TypeError);
    }
    expect(await fixture.store.read(stream)).toEqual([]);
  });

  it('refuses an append of nothing', async () => {
    await expect(fixture.append(fixture.stream(), NO_STREAM, [])).rejects.toBeInstanceOf(TypeError);
  });

  it.each([-1, 0.5, Number.NaN])('refuses %s as a revision', async (expected) => {
    await expect(fixture.append(fixture.stream(), expected, [event()])).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses an id that is no UUID', async () => {
    const stream = fixture.stream();
    await expect(fixture.append(stream, NO_STREAM, [{ ...event(), id: 'first' as IdentifiedEvent['id'] }])).rejects.toBeInstanceOf(TypeError);
    expect(await fixture.store.read(stream)).toEqual([]);
  });

  it('refuses more than 1 MiB and stores nothing of it', async () => {
    const stream = fixture.stream();
    const half = event({ text: 'x'.repeat(MAX_APPEND_BYTES / 2) });
    await expect(fixture.append(stream, NO_STREAM, [half, { ...half, id: event().id }])).rejects.toBeInstanceOf(AppendTooLarge);
    expect(await fixture.store.read(stream)).toEqual([]);
    expect(await fixture.append(stream, NO_STREAM, [half])).toEqual({ revision: 0 });
  });

  it('counts the limit in bytes, not in characters', async () => {
    const wide = event({ text: '€'.repeat(MAX_APPEND_BYTES / 2) });
    await expect(fixture.append(fixture.stream(), NO_STREAM, [wide])).rejects.toBeInstanceOf(AppendTooLarge);
  });

  describe('counts types and metadata into the limit, and', () => {
    /** Two events of so many bytes together, as the port counts them. */
    const eventsOf = (bytes: number): readonly NewEvent[] => {
      const type = 'Happened'.repeat(100);
      const metadata = { v: 1, note: 'z'.repeat(10_000) };
      const empty = 2 * type.length + JSON.stringify(metadata).length + '{"text":""}'.length;
      return [400_000, bytes - 400_000].map((each) => ({ type, data: { text: 'y'.repeat(each - empty) }, metadata }));
    };

    it('stores exactly 1 MiB in one append', async () => {
      const stream = fixture.stream();
      const largest = eventsOf(MAX_APPEND_BYTES - 2 * fixture.bytesAdded);
      await fixture.store.append(stream, NO_STREAM, largest);
      expect((await fixture.store.read(stream)).map(({ data }) => data)).toEqual(largest.map(({ data }) => data));
    });

    it('refuses one byte more, and stores nothing of it', async () => {
      const stream = fixture.stream();
      await expect(fixture.store.append(stream, NO_STREAM, eventsOf(MAX_APPEND_BYTES + 1))).rejects.toBeInstanceOf(AppendTooLarge);
      expect(await fixture.store.read(stream)).toEqual([]);
    });
  });
};
