import type { JsonObject } from '#kernel';

import { NO_STREAM, streamName, type StreamName } from '#engines/event-store';
import { event, events, type Fixture } from './fixture.js';

export const readingContract = (fixture: Fixture): void => {
  it('finds nothing in a stream that does not exist', async () => {
    const stream = fixture.stream();
    expect(await fixture.store.read(stream)).toEqual([]);
    expect(await fixture.store.read(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
  });

  it('gives back the appended events', async () => {
    const stream = fixture.stream();
    const appended = event({ amount: 1 }, 'Paid');
    await fixture.append(stream, NO_STREAM, [appended]);
    const [read] = await fixture.store.read(stream);
    expect({ ...read, metadata: fixture.metadataOf(read) }).toEqual({
      ...appended,
      stream,
      revision: 0,
      position: expect.any(BigInt),
      metadata: { v: 1 },
    });
  });

  it('goes forwards and backwards, from a revision, as far as the limit', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(6));
    const revisions = async (options: Parameters<typeof fixture.store.read>[1]): Promise<number[]> =>
      (await fixture.store.read(stream, options)).map(({ revision }) => revision);
    expect(await revisions({ direction: 'forwards' })).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await revisions({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await revisions({ from: 4 })).toEqual([4, 5]);
    expect(await revisions({ from: 1, limit: 2 })).toEqual([1, 2]);
    expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([5]);
    expect(await revisions({ direction: 'backwards', from: 2 })).toEqual([2, 1, 0]);
    expect(await revisions({ direction: 'backwards', from: 3, limit: 2 })).toEqual([3, 2]);
  });

  describe('from memory', () => {
    /** Of a store that has the stream in memory, the events; otherwise what a read answers. */
    const remembered = async (stream: StreamName) => {
      const read = await fixture.store.read(stream);
      const recent = fixture.store.recent(stream);
      if (recent) expect(recent).toBe(read);
      return read;
    };

    it('answers the list of the last read, or nothing', async () => {
      const stream = fixture.stream();
      await fixture.append(stream, NO_STREAM, events(2));
      expect(await remembered(stream)).toHaveLength(2);
    });

    it('never answers a list that an append, a truncation, an erasure or a retention has changed', async () => {
      const stream = fixture.stream();
      const { store } = fixture;
      await store.append(stream, NO_STREAM, events(3));
      await remembered(stream);
      await store.append(stream, 2, [event()]);
      expect(store.recent(stream)?.length ?? 4).toBe(4);
      await remembered(stream);
      await store.truncateBefore(stream, 2);
      expect(store.recent(stream)?.length ?? 2).toBe(2);
      await remembered(stream);
      await store.setRetention(stream, { maxCount: 1 });
      expect(store.recent(stream)?.length ?? 1).toBe(1);
      await remembered(stream);
      await store.tombstone(stream);
      expect(store.recent(stream) ?? []).toEqual([]);
    });

    it('answers no event that has expired', async () => {
      const stream = fixture.stream();
      await fixture.store.setRetention(stream, { maxAge: 1 });
      await fixture.append(stream, NO_STREAM, [event()]);
      await remembered(stream);
      await fixture.passTime(1_200);
      expect(fixture.store.recent(stream) ?? []).toEqual([]);
    });
  });

  it('finds nothing past the end', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(2));
    expect(await fixture.store.read(stream, { from: 2 })).toEqual([]);
    expect(await fixture.store.read(stream, { from: 9, direction: 'backwards' })).toEqual([]);
  });

  it('sees every append that was answered, at once', async () => {
    const stream = fixture.stream();
    let expected: number | typeof NO_STREAM = NO_STREAM;
    for (let count = 1; count <= 50; count += 1) {
      ({ revision: expected } = await fixture.append(stream, expected, [event()]));
      expect(await fixture.store.read(stream)).toHaveLength(count);
    }
  });

  it('gives positions that grow with the revisions', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(3));
    await fixture.append(fixture.stream(), NO_STREAM, [event()]);
    await fixture.append(stream, 2, events(3));
    const positions = (await fixture.store.read(stream)).map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => Number(a - b)));
  });

  it('reads a long stream whole', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(1_500));
    expect((await fixture.store.read(stream)).map(({ data }) => data['number'])).toEqual(events(1_500).map(({ data }) => data['number']));
  });

  it('still holds everything after a restart', async () => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, events(3));
    const before = await fixture.store.read(stream);
    await fixture.reopen();
    expect(await fixture.store.read(stream)).toEqual(before);
    await expect(fixture.append(stream, 1, [event()])).rejects.toMatchObject({ actual: 2 });
  });

  const hostile: [string, JsonObject][] = [
    ['no data at all', {}],
    ['scripts of the world', { text: 'Ĳſ ﷽ ษาไทย 漢字 🜁🏳️‍🌈 \u202eabc e\u0301', 'clé 🗝': 'ä' }],
    ['control characters', { text: '\u0000\u0001\u001f\u007f\u2028\u2029\ufeff\r\n\t"\\' }],
    ['half a surrogate pair', { text: 'a\ud800b', [`\udc00`]: true }],
    ['what looks like SQL', { text: `'; DROP TABLE events; --`, $maxAge: 1 }],
    ['names of the prototype', JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":null}') as JsonObject],
    ['numbers at their ends', { big: Number.MAX_SAFE_INTEGER, small: 5e-324, huge: 1.7976931348623157e308, third: 1 / 3 }],
    ['deep nesting', { deep: JSON.parse('['.repeat(500) + ']'.repeat(500)) }],
  ];
  it.each(hostile)('gives back %s', async (_name, data) => {
    const stream = fixture.stream();
    await fixture.append(stream, NO_STREAM, [event(data)]);
    const [read] = await fixture.store.read(stream);
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data));
  });

  it.each([`' OR 1=1 --`, 'a b/c?d=%00', '-', '🗝 clé', 'x'.repeat(200)])('keeps streams of hostile names apart: %s', async (name) => {
    const category = fixture.category();
    const stream = streamName(category, name);
    await fixture.append(stream, NO_STREAM, [event({ name })]);
    await fixture.append(streamName(category, `${name}x`), NO_STREAM, [event()]);
    expect(await fixture.store.read(stream)).toMatchObject([{ stream, data: { name } }]);
  });
};
