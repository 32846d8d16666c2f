import { EventStoreUnavailable, NO_STREAM } from '#engines/event-store';
import { event, type Fixture } from './fixture.js';

export const closingContract = (fixture: Fixture): void => {
  it('can take a write while it is open', async () => {
    await expect(fixture.store.check()).resolves.toBeUndefined();
  });

  it('finishes accepted work before it closes', async () => {
    const streams = Array.from({ length: 20 }, () => fixture.stream());
    const appends = streams.map((stream) => fixture.append(stream, NO_STREAM, [event()]));
    await fixture.reopen();
    await Promise.all(appends);
    for (const stream of streams) expect(await fixture.store.read(stream)).toHaveLength(1);
  });

  it('takes nothing afterwards', async () => {
    const closed = fixture.store;
    const stream = fixture.stream();
    await closed.append(stream, NO_STREAM, [event()]);
    await closed.read(stream);
    await fixture.reopen();
    await expect(closed.append(stream, 0, [event()])).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(closed.read(stream)).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(closed.truncateBefore(stream, 0)).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(closed.exists(stream)).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(closed.tombstone(stream)).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(closed.check()).rejects.toBeInstanceOf(EventStoreUnavailable);
  });

  it('may be closed twice', async () => {
    const closed = fixture.store;
    await closed.close();
    await expect(closed.close()).resolves.toBeUndefined();
    await fixture.reopen();
  });
};
