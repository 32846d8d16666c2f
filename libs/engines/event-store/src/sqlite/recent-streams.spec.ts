import { event } from '#testkit/event-store/contract/fixture';
import { type RecordedEvent, streamName } from '../event-store.js';
import { RecentStreams } from './recent-streams.js';

const row = (size: number, expiresAt = Infinity) => ({ event: { ...event(), revision: 0 } as RecordedEvent, expiresAt, size });
const stream = (number: number) => streamName('test', `${number}`);

describe('RecentStreams', () => {
  it('forgets streams used long ago when it is full', () => {
    const recent = new RecentStreams();
    for (let number = 0; number < 1_200; number += 1) {
      recent.put(stream(number), [row(32_000)]);
      recent.get(stream(0), 0);
    }
    expect(recent.get(stream(0), 0)).toHaveLength(1);
    const kept = Array.from({ length: 1_200 }, (_, number) => number).filter((number) => recent.get(stream(number), 0));
    expect(kept).toEqual([0, ...Array.from({ length: 1_047 }, (_, place) => 153 + place)]);
  });

  it('does not keep a big stream, nor an empty one', () => {
    const recent = new RecentStreams();
    expect(recent.put(stream(1), [row(40_000)])).toHaveLength(1);
    expect(recent.put(stream(2), [])).toEqual([]);
    expect(recent.get(stream(1), 0)).toBeUndefined();
    expect(recent.get(stream(2), 0)).toBeUndefined();
  });

  it('counts a stream that is put again once', () => {
    const recent = new RecentStreams();
    for (let time = 0; time < 2_000; time += 1) recent.put(stream(1), [row(32_000)]);
    recent.put(stream(2), [row(1)]);
    expect(recent.get(stream(1), 0)).toHaveLength(1);
  });

  it('extends the streams it knows, and no others', () => {
    const recent = new RecentStreams();
    const before = recent.put(stream(1), [row(1, 100)]);
    const more = row(1, 50);
    recent.extend(stream(1), [more]);
    recent.extend(stream(2), [more]);
    expect(recent.get(stream(1), 49)).toEqual([before[0], more.event]);
    expect(before).toHaveLength(1);
    expect(recent.get(stream(2), 0)).toBeUndefined();
    expect(recent.get(stream(1), 50)).toBeUndefined();
  });

  it('drops a stream that has grown too big', () => {
    const recent = new RecentStreams();
    recent.put(stream(1), [row(20_000)]);
    recent.extend(stream(1), [row(20_000)]);
    expect(recent.get(stream(1), 0)).toBeUndefined();
  });

  it('forgets a stream when the first of its events expires', () => {
    const recent = new RecentStreams();
    recent.put(stream(1), [row(1, 100), row(1, 50)]);
    expect(recent.get(stream(1), 49)).toHaveLength(2);
    expect(recent.get(stream(1), 50)).toBeUndefined();
  });
});
