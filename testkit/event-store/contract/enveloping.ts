import { type EventMetadata, NO_STREAM, type RecordedEvent } from '#engines/event-store';
import { type Fixture } from './fixture.js';

const HAPPENED = { type: 'Happened', data: {} };
const ENVELOPE: EventMetadata = {
  v: 2,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  mac: 'key-1.c2lnbmF0dXJl',
  status: 'PENDING',
};

export const envelopingContract = (fixture: Fixture): void => {
  it('shows the metadata of each event in reads and subscriptions, with the members that the writer added', async () => {
    const category = fixture.category();
    const stream = fixture.stream(category);
    await fixture.store.append(stream, NO_STREAM, [
      { ...HAPPENED, metadata: ENVELOPE },
      { ...HAPPENED, metadata: { v: 3 } },
    ]);
    const metadataOf = (items: readonly (RecordedEvent | 'caught-up')[]) =>
      items.flatMap((item) => (item === 'caught-up' ? [] : [fixture.metadataOf(item)]));
    const envelope = fixture.written(ENVELOPE);
    expect(metadataOf(await fixture.store.read(stream))).toEqual([envelope, { v: 3 }]);
    expect(metadataOf(await fixture.store.read(stream, { direction: 'backwards', limit: 1 }))).toEqual([{ v: 3 }]);
    expect(metadataOf(await fixture.collect({ categories: [category] }, 2))).toEqual([envelope, { v: 3 }]);
    await fixture.reopen();
    expect(metadataOf(await fixture.store.read(stream))).toEqual([envelope, { v: 3 }]);
  });

  it('stores version 1 for an event without metadata', async () => {
    const stream = fixture.stream();
    await fixture.store.append(stream, NO_STREAM, [HAPPENED]);
    expect(fixture.metadataOf((await fixture.store.read(stream))[0])).toEqual({ v: 1 });
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %s as a version and stores nothing', async (v) => {
    const stream = fixture.stream();
    const appended = fixture.store.append(stream, NO_STREAM, [HAPPENED, { ...HAPPENED, metadata: { v } }]);
    await expect(appended).rejects.toBeInstanceOf(TypeError);
    expect(await fixture.store.read(stream)).toEqual([]);
  });

  it('takes the metadata as it is when append is called', async () => {
    const stream = fixture.stream();
    const metadata = { v: 1, status: 'PENDING' };
    const appended = fixture.store.append(stream, NO_STREAM, [{ ...HAPPENED, metadata }]);
    metadata.status = 'SCANNED';
    await appended;
    expect(fixture.metadataOf((await fixture.store.read(stream))[0])).toEqual({ v: 1, status: 'PENDING' });
  });

  it('keeps the metadata of the first append when it is repeated', async () => {
    const stream = fixture.stream();
    const { ids } = await fixture.store.append(stream, NO_STREAM, [{ ...HAPPENED, metadata: ENVELOPE }]);
    await fixture.store.append(stream, NO_STREAM, [{ ...HAPPENED, metadata: { v: 9 } }], { ids });
    expect((await fixture.store.read(stream)).map(fixture.metadataOf)).toEqual([fixture.written(ENVELOPE)]);
  });
};
