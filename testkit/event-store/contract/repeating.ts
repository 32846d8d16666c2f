import { NO_STREAM, WrongExpectedRevision } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

// What EventStoreDB does with equal ids at an equal expected revision, after the first append has answered.
export const repeatingContract = (fixture: Fixture): void => {
  it('gets the answer of the first one and stores nothing', async () => {
    const stream = fixture.stream();
    const batch = events(3);
    await fixture.append(stream, NO_STREAM, batch);
    expect(await fixture.append(stream, NO_STREAM, batch)).toEqual({ revision: 2 });
    expect(await fixture.store.read(stream)).toHaveLength(3);
  });

  it('does so also when the stream has gone on', async () => {
    const stream = fixture.stream();
    const [first, second, third] = [event(), event(), event()];
    await fixture.append(stream, NO_STREAM, [first]);
    await fixture.append(stream, 0, [second]);
    await fixture.append(stream, 1, [third]);
    expect(await fixture.append(stream, 0, [second])).toEqual({ revision: 1 });
    expect(await fixture.append(stream, NO_STREAM, [first])).toEqual({ revision: 0 });
    expect((await fixture.store.read(stream)).map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
  });

  it('does so also after a restart', async () => {
    const stream = fixture.stream();
    const batch = events(2);
    await fixture.append(stream, NO_STREAM, batch);
    await fixture.reopen();
    expect(await fixture.append(stream, NO_STREAM, batch)).toEqual({ revision: 1 });
    expect(await fixture.store.read(stream)).toHaveLength(2);
  });

  it('ignores other data under the same id', async () => {
    const stream = fixture.stream();
    const first = event({ amount: 1 });
    await fixture.append(stream, NO_STREAM, [first]);
    expect(await fixture.append(stream, NO_STREAM, [{ ...first, type: 'Other', data: { amount: 2 } }])).toEqual({ revision: 0 });
    expect(await fixture.store.read(stream)).toMatchObject([{ type: 'Happened', data: { amount: 1 } }]);
  });

  it('succeeds with a prefix of the ids', async () => {
    const stream = fixture.stream();
    const batch = events(3);
    await fixture.append(stream, NO_STREAM, batch);
    expect(await fixture.append(stream, NO_STREAM, batch.slice(0, 2))).toEqual({ revision: 1 });
  });

  it('conflicts with every other mixture of known and new ids', async () => {
    const stream = fixture.stream();
    const [first, second, third] = [event(), event(), event()];
    await fixture.append(stream, NO_STREAM, [first, second]);
    const mixtures = [[first, third], [third, first], [second, first], [second], [first, second, third]];
    for (const mixture of mixtures) await expect(fixture.append(stream, NO_STREAM, mixture)).rejects.toBeInstanceOf(WrongExpectedRevision);
    expect(await fixture.store.read(stream)).toHaveLength(2);
  });

  it('stores the same id twice at the current revision: that is another append', async () => {
    const stream = fixture.stream();
    const same = event();
    await fixture.append(stream, NO_STREAM, [same]);
    expect(await fixture.append(stream, 0, [same])).toEqual({ revision: 1 });
    expect((await fixture.store.read(stream)).map(({ id }) => id)).toEqual([same.id, same.id]);
  });

  it('does not recognise an id of another stream', async () => {
    const [one, other] = [fixture.stream(), fixture.stream()];
    const same = event();
    await fixture.append(one, NO_STREAM, [same]);
    expect(await fixture.append(other, NO_STREAM, [same])).toEqual({ revision: 0 });
    expect(await fixture.store.read(other)).toHaveLength(1);
  });
};
