import { expect, it } from '@jest/globals';

import { collector, type Fixture } from './fixture.js';

export const deliveringContract = (fixture: Fixture): void => {
  it('gives a new group all messages from the oldest on, each subject in order', async () => {
    await fixture.things(['a', 'Made'], ['b', 'Made'], ['a', 'Moved', 'Moved']);
    const all = collector();
    await fixture.consume(all.handler);
    await all.until(4);
    await fixture.things(['b', 'Moved']);
    await all.until(5);
    expect(all.seen.filter((name) => name.startsWith('a'))).toEqual(['a/0', 'a/1', 'a/2']);
    expect(all.seen.filter((name) => name.startsWith('b'))).toEqual(['b/0', 'b/1']);
  });

  it('delivers the message as it was published', async () => {
    await fixture.things(['a', 'Made']);
    const all = collector();
    await fixture.consume(all.handler);
    await all.until(1);
    expect(all.messages).toEqual([
      {
        specversion: '1.0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        source: '/things',
        type: 'thing.made',
        subject: 'a',
        time: '2026-01-01T00:00:00.000Z',
        esrevision: 0,
        data: { type: 'Made' },
      },
    ]);
  });

  it('delivers every message to every group', async () => {
    const one = collector();
    const other = collector();
    await fixture.consume(one.handler, { group: 'one' });
    await fixture.consume(other.handler, { group: 'other' });
    await fixture.things(['a', 'Made', 'Moved']);
    await Promise.all([one.until(2), other.until(2)]);
    expect(one.seen).toEqual(other.seen);
  });

  it('skips the types that the group does not handle, and counts them', async () => {
    await fixture.things(['a', 'Made', 'Moved', 'Broken']);
    const all = collector();
    await fixture.consume(all.handler, { types: ['thing.broken'] });
    await all.until(1);
    expect(all.seen).toEqual(['a/2']);
    const { values } = await fixture.metrics.busMessages.get();
    expect(values).toContainEqual(expect.objectContaining({ value: 2, labels: { topic: fixture.topic, group: 'group', outcome: 'ignored' } }));
  });

  it('delivers many messages of many subjects, each once and in order', async () => {
    const subjects = Array.from({ length: 300 }, (_, number) => `thing${number}`);
    await fixture.things(
      ...subjects.map((subject) => [subject, 'Made'] as const),
      ...subjects.map((subject) => [subject, 'Moved', 'Broken'] as const),
    );
    const all = collector();
    const consumer = await fixture.consume(all.handler);
    await all.until(900);
    await consumer.stop();
    for (const subject of subjects)
      expect(all.seen.filter((name) => name.startsWith(`${subject}/`))).toEqual([0, 1, 2].map((revision) => `${subject}/${revision}`));
  });

  it('refuses a topic or a type that is not published', async () => {
    await expect(fixture.consume(collector().handler, { topic: 'elsewhere' })).rejects.toThrow(TypeError);
    await expect(fixture.consume(collector().handler, { types: ['thing.mvoed'] })).rejects.toThrow('thing.mvoed');
  });
};
