import { NO_STREAM } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

const HOUR = 3_600;

export const retentionContract = (fixture: Fixture): void => {
  it('shows an event until it is older than the maximum age', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxAge: HOUR });
    await fixture.append(stream, NO_STREAM, [event()]);
    expect(await fixture.store.read(stream)).toHaveLength(1);
    await fixture.store.setRetention(stream, { maxAge: 1 });
    await fixture.passTime(1_200);
    expect(await fixture.store.read(stream)).toEqual([]);
    expect(await fixture.store.read(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
  });

  it('judges the age of each event separately', async () => {
    const stream = fixture.stream();
    // A busy machine has four seconds for each read.
    await fixture.store.setRetention(stream, { maxAge: 10 });
    await fixture.append(stream, NO_STREAM, [event()]);
    await fixture.passTime(6_000);
    await fixture.append(stream, 0, [event()]);
    expect(await fixture.store.read(stream)).toHaveLength(2);
    await fixture.passTime(5_000);
    expect(await fixture.store.read(stream)).toMatchObject([{ revision: 1 }]);
  });

  it('goes on counting expired events for the revision', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxAge: 4 });
    await fixture.append(stream, NO_STREAM, events(2));
    await fixture.passTime(4_200);
    await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 1 });
    expect(await fixture.append(stream, 1, [event()])).toEqual({ revision: 2 });
    expect(await fixture.store.read(stream)).toMatchObject([{ revision: 2 }]);
  });

  it('recognises the repetition of an append whose events have expired', async () => {
    const stream = fixture.stream();
    const batch = events(2);
    await fixture.store.setRetention(stream, { maxAge: 1 });
    await fixture.append(stream, NO_STREAM, batch);
    await fixture.passTime(1_200);
    expect(await fixture.append(stream, NO_STREAM, batch)).toEqual({ revision: 1 });
    expect(await fixture.store.read(stream)).toEqual([]);
  });

  it('shows only the newest events up to the maximum count, while the revision goes on', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxCount: 1 });
    await fixture.append(stream, NO_STREAM, [event({ version: 1 })]);
    await fixture.append(stream, 0, [event({ version: 2 })]);
    expect(await fixture.append(stream, 1, events(2).concat(event({ version: 5 })))).toEqual({ revision: 4 });
    expect(await fixture.store.read(stream)).toMatchObject([{ revision: 4, data: { version: 5 } }]);
    expect(await fixture.store.read(stream, { direction: 'backwards' })).toHaveLength(1);
    await expect(fixture.append(stream, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 4 });
  });

  it('acts at once on a stream that has events', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(5));
    expect(await fixture.store.read(stream)).toHaveLength(5);
    await fixture.store.setRetention(stream, { maxCount: 2 });
    expect(await fixture.store.read(stream)).toMatchObject([{ revision: 3 }, { revision: 4 }]);
  });

  it('leaves the first event NO_STREAM when it is set before', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxAge: HOUR, maxCount: 3 });
    expect(await fixture.store.read(stream)).toEqual([]);
    await expect(fixture.append(stream, 0, [event()])).rejects.toMatchObject({ actual: NO_STREAM });
    expect(await fixture.append(stream, NO_STREAM, [event()])).toEqual({ revision: 0 });
  });

  it('replaces the retention that was set before', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxCount: 1, maxAge: 1 });
    await fixture.store.setRetention(stream, {});
    await fixture.append(stream, NO_STREAM, events(3));
    await fixture.passTime(1_200);
    expect(await fixture.store.read(stream)).toHaveLength(3);
  });

  it('concerns no other stream', async () => {
    const [kept, other] = [fixture.stream(), fixture.stream()];
    await fixture.append(kept, NO_STREAM, events(2));
    await fixture.append(other, NO_STREAM, events(2));
    await fixture.store.setRetention(other, { maxCount: 1 });
    expect(await fixture.store.read(kept)).toHaveLength(2);
  });

  it('holds after a restart', async () => {
    const stream = fixture.stream();
    await fixture.store.setRetention(stream, { maxCount: 1 });
    await fixture.reopen();
    await fixture.append(stream, NO_STREAM, events(2));
    expect(await fixture.store.read(stream)).toHaveLength(1);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %s as an age or a count', async (value) => {
    const stream = fixture.stream();
    await expect(fixture.store.setRetention(stream, { maxAge: value })).rejects.toBeInstanceOf(TypeError);
    await expect(fixture.store.setRetention(stream, { maxCount: value })).rejects.toBeInstanceOf(TypeError);
  });
};
