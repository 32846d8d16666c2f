import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { event, events } from '#testkit/event-store/contract/fixture';
import { NO_STREAM } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { folder, path, clock, store, useEventStore, reopen, stream, onDisk, open } from '#testkit/event-store/sqlite/event-store-on-disk';

const DAY = 86_400_000;

describe('SqliteEventStore', () => {
  useEventStore();

  describe('erased bytes', () => {
    const secret = 'erase-me-5f0c1e';

    beforeEach(async () => {
      for (const name of ['before', 'erased', 'after']) {
        const text = name === 'erased' ? secret : name;
        await store.append(stream(name), NO_STREAM, [event({ text }), event({ text: text.padEnd(20_000, text) })]);
      }
      expect(onDisk(secret)).toBe(true);
    });
    afterEach(async () => {
      for (const name of ['before', 'after']) expect((await store.read(stream(name)))[0]).toMatchObject({ data: { text: name } });
    });

    it('are gone from the disk after a truncation and a sweep', async () => {
      await store.append(stream('erased'), 1, [event()]);
      await store.truncateBefore(stream('erased'), 2);
      await store.sweep();
      expect(onDisk(secret)).toBe(false);
    });

    it('are gone from the disk after a tombstone and a sweep', async () => {
      await store.tombstone(stream('erased'));
      await store.sweep();
      expect(onDisk(secret)).toBe(false);
    });

    it('are gone from the disk after newer events have pushed them out', async () => {
      await store.setRetention(stream('erased'), { maxCount: 1 });
      await store.append(stream('erased'), 1, [event()]);
      await store.sweep();
      expect(onDisk(secret)).toBe(false);
    });

    it('are gone from the disk after a sweep once they have expired, and not before', async () => {
      await store.setRetention(stream('erased'), { maxAge: 60 });
      clock.advance(59_999);
      await store.sweep();
      expect(onDisk(secret)).toBe(true);
      expect(await store.read(stream('erased'))).toHaveLength(2);
      clock.advance(1);
      await store.sweep();
      expect(onDisk(secret)).toBe(false);
    });

    it('are gone from the disk once the store is closed', async () => {
      await store.tombstone(stream('erased'));
      await store.close();
      expect(onDisk(secret)).toBe(false);
      await reopen();
    });

    it('are gone from the disk after the next start, when the process died before a sweep', async () => {
      await store.tombstone(stream('erased'));
      const copy = join(folder, 'copy');
      cpSync(join(folder, 'new'), copy, { recursive: true });
      const again = new SqliteEventStore({ path: join(copy, 'events.db'), clock });
      const files = readdirSync(copy).map((file) => readFileSync(join(copy, file)));
      await again.close();
      expect(files.some((bytes) => bytes.includes(secret))).toBe(false);
    });

    it('are swept at start when they expired while nothing ran', async () => {
      await store.setRetention(stream('erased'), { maxAge: 60 });
      await store.close();
      clock.advance(60_000);
      open();
      await store.close();
      expect(onDisk(secret)).toBe(false);
      open();
    });
  });

  // SQLite moves rows when others shrink or go, and leaves copies of them behind: see the schema.
  it('leaves no copy of any erased event anywhere, however its neighbours came and went', async () => {
    const marks = Array.from({ length: 4_000 }, (_, index) => `mark-${index}-`);
    const kept = new Set<string>();
    for (let begin = 0; begin < marks.length; begin += 40) {
      const batch = marks.slice(begin, begin + 40);
      const text = (mark: string, index: number): string => mark + '.'.repeat(((begin + index) * 7_919) % (index === 0 ? 9_000 : 700));
      await Promise.all(batch.map((mark, index) => store.append(stream(mark), NO_STREAM, [event({ text: text(mark, index) })])));
      for (const mark of batch) kept.add(mark);
      const victims = [...kept].filter((_, index) => (index * 389 + begin) % 23 === 0);
      await Promise.all(victims.map((victim) => store.tombstone(stream(victim))));
      for (const victim of victims) kept.delete(victim);
    }
    await store.sweep();
    const bytes = Buffer.concat(readdirSync(join(folder, 'new')).map((file) => readFileSync(join(folder, 'new', file)))).toString('latin1');
    const found = new Set([...bytes.matchAll(/"(mark-\d+-)/g)].map(([, mark]) => mark));
    expect(found).toEqual(kept);
  });

  it('gives the space of erased events back when it opens, and positions go on', async () => {
    const kept = Array.from({ length: 50 }, (_, index) => stream(`kept-${index}`));
    const text = 'x'.repeat(300);
    for (const one of kept) await store.append(one, NO_STREAM, [event({ text })]);
    const gone = Array.from({ length: 50 }, (_, index) => stream(`gone-${index}`));
    await Promise.all(
      gone.map((one) =>
        store.append(
          one,
          NO_STREAM,
          events(500).map(({ id }) => event({ id, text })),
        ),
      ),
    );
    const last = (await store.read(gone.at(-1)!)).at(-1)!.position;
    await Promise.all(gone.map((one) => store.append(one, 499, [event()]).then(() => store.truncateBefore(one, 500))));
    await reopen();
    const before = statSync(path).size;
    clock.advance(DAY);
    await reopen();
    expect(statSync(path).size).toBeLessThan(before / 10);
    for (const one of kept) expect(await store.read(one)).toMatchObject([{ revision: 0, data: { text } }]);
    expect(await store.append(gone[0]!, 500, [event()])).toMatchObject({ revision: 501 });
    expect((await store.read(gone[0]!))[0]!.position).toBeGreaterThan(last);
  });
});
