import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type EventId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { type EventMetadata, type EventStore, NO_STREAM, type RecordedEvent, streamName } from '../event-store.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated, EVENT_RING, eventMacs } from '#testkit/event-store/authenticated';
import { EventMacs } from './event-macs.js';

const STREAM = streamName('device', 'one');
const WRITTEN = { v: 2, status: 'SCANNED', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
const TYPES = ['DeviceEnrolled', 'PinAccepted'];

describe('metadata that the store keeps in another text than the service wrote', () => {
  let folder: string;
  let path: string;
  let raw: SqliteEventStore;
  const opened = (): SqliteEventStore => new SqliteEventStore({ path, clock: new FixedClock() });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'event-store-'));
    path = join(folder, 'events.db');
    raw = opened();
    await authenticated(raw).append(
      STREAM,
      NO_STREAM,
      TYPES.map((type) => ({ type, data: {}, metadata: WRITTEN })),
    );
  });
  afterEach(async () => {
    await raw.close();
    rmSync(folder, { recursive: true });
  });

  /** Writes another text for the metadata of the first event. */
  const rewritten = async (rewrite: (metadata: EventMetadata) => string): Promise<EventStore> => {
    const metadata = (await raw.read(STREAM))[0]?.metadata as EventMetadata;
    await raw.close();
    const database = new DatabaseSync(path);
    database.prepare('UPDATE events SET metadata = ? WHERE revision = 0').run(rewrite(metadata));
    database.close();
    raw = opened();
    return authenticated(raw);
  };
  const withMember = (name: string, value: unknown) => (metadata: EventMetadata) => JSON.stringify({ ...metadata, [name]: value });
  const shown = ({ metadata }: RecordedEvent) => ({ ...metadata, mac: undefined });
  const subscribed = async (store: EventStore): Promise<readonly RecordedEvent[]> => {
    const leave = new AbortController();
    const seen: RecordedEvent[] = [];
    for await (const item of store.subscribe({ categories: ['device'], signal: leave.signal })) {
      if (item === 'caught-up') leave.abort();
      else seen.push(item);
    }
    return seen;
  };

  it.each<readonly [string, (metadata: EventMetadata) => string]>([
    ['the members in another order', (metadata) => JSON.stringify(Object.fromEntries(Object.entries(metadata).toReversed()))],
    ['white space between them', (metadata) => JSON.stringify(metadata, undefined, 2)],
    ['numbers written in another way', (metadata) => JSON.stringify(metadata).replace('"v":2', '"v":2.0')],
    ['characters escaped', (metadata) => JSON.stringify(metadata).replace('SCANNED', '\\u0053CANNED')],
  ])('is read: %s', async (_, rewrite) => {
    const store = await rewritten(rewrite);
    for (const events of [await store.read(STREAM), await subscribed(store)]) expect(events.map(shown)).toEqual([WRITTEN, WRITTEN]);
  });

  it('is not read where the MAC covers no member of that name', async () => {
    const store = await rewritten(withMember('$correlationId', 'a'));
    expect((await raw.read(STREAM))[0]?.metadata).toHaveProperty('$correlationId');
    for (let times = 0; times < 2; times += 1) {
      const [read, seen] = [await store.read(STREAM), await subscribed(store)];
      for (const events of [read, seen]) expect(events.map(shown)).toEqual([WRITTEN, WRITTEN]);
      expect((await store.read(STREAM, { direction: 'backwards' })).map(shown)).toEqual([WRITTEN, WRITTEN]);
    }
    expect(store.recent(STREAM)).toBeUndefined();
    await store.append(STREAM, 1, [{ type: 'PinFailed', data: {} }]);
    expect(await authenticated(raw).read(STREAM)).toHaveLength(3);
  });

  it.each([
    ['another version', 'v', 1],
    ['the version as a text', 'v', '2'],
    ['another member', 'status', 'CONFIRMED'],
    ['a member as a list', 'status', ['SCANNED']],
    ['a member without its value', 'status', null],
    ['a member that the writer left out', 'note', 'mine'],
    ['a member less', 'traceparent', undefined],
  ])('is refused where it tells something else: %s', async (_, name, value) => {
    const store = await rewritten(withMember(name, value));
    await expect(store.read(STREAM)).rejects.toMatchObject({ because: 'forged', revision: 0 });
    expect(await subscribed(store)).toHaveLength(1);
  });

  it('is not written with a member that no MAC would cover', async () => {
    const append = authenticated(raw).append(STREAM, 1, [{ type: 'PinFailed', data: {}, metadata: { v: 1, mine: 'yes' } }]);
    await expect(append).rejects.toThrow(new TypeError('no MAC covers all of v, mine'));
  });
});

describe('the MAC of metadata', () => {
  const event = (metadata: EventMetadata) => ({ stream: STREAM, revision: 0, id: 'one' as EventId, type: 'PinAccepted', data: '{}', metadata });
  const macOf = (macs: EventMacs, metadata: EventMetadata): string => macs.make(event(metadata), '00'.repeat(16)).mac;

  it('stays the same when a later release has more names, for events without them', () => {
    const later = new EventMacs(EVENT_RING, 'test', ['a', 'status', 'note', 'zone']);
    expect(macOf(later, WRITTEN)).toBe(macOf(eventMacs(), WRITTEN));
    expect(macOf(later, { ...WRITTEN, zone: 'a' })).not.toBe(macOf(later, WRITTEN));
  });

  it('does not depend on the order in which the names are declared', () => {
    const other = new EventMacs(EVENT_RING, 'test', ['note', 'status']);
    expect(macOf(other, { ...WRITTEN, note: 'n' })).toBe(macOf(eventMacs(), { note: 'n', ...WRITTEN }));
  });

  it('tells apart members that would join to the same text', () => {
    const macs = new EventMacs(EVENT_RING, 'test', ['a', 'b']);
    const all: EventMetadata[] = [
      { v: 1, a: 'b1', b: '' },
      { v: 1, a: 'b', b: '1' },
      { v: 1, a: '', b: 'b1' },
      { v: 1, a: 'b1' },
      { v: 1, b: 'b1' },
    ];
    expect(new Set(all.map((metadata) => macOf(macs, metadata))).size).toBe(all.length);
  });
});
