import {
  type EventStore,
  MARK_CHECK_INTERVAL,
  MARK_STREAM,
  NO_STREAM,
  type RecordedEvent,
  type StoreHistory,
  streamName,
} from '#engines/event-store';
import { openSqliteReadModels, Projections } from '#engines/read-model';
import { type KeyRing, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { Log, Metrics, SilentLog } from '#telemetry';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { thingsProjection } from '#testkit/read-model/things';

import { authenticate } from './authenticate.js';
import { openMarkWriter } from './open-mark-writer.js';
import { openStoreHistory } from './open-store-history.js';

const HOUR = 3_600_000;
const SAID = [{ type: 'Said', data: { word: 'hello' } }];
const MARKED = { type: 'Marked', data: { at: 0, history: 'forged' }, metadata: { v: 1 } };
const NOTED = { type: 'RestorationNoted', data: { at: 0 }, metadata: { v: 1 } };

const randomness = new SystemRandomness();
const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);

/** A log that counts its errors by their text. */
class CountedErrors extends Log {
  readonly errors: string[] = [];

  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(message: string): void {
    this.errors.push(message);
  }
}

describe.each(STORE_ENGINES)('an intruder who can write to the stream of marks, over $engine', ({ open }) => {
  let clock: FixedClock;
  let raw: EventStore;
  let leave: AbortController;
  let log: CountedErrors;
  let metrics: Metrics;
  let sessions: number;

  beforeEach(async () => {
    [clock, log, metrics, sessions] = [new FixedClock(), new CountedErrors(), new Metrics(), 0];
    leave = new AbortController();
    raw = await open(clock);
  });
  afterEach(async () => {
    leave.abort();
    await raw.close();
  });

  /** The store of a process that starts: it remembers nothing. */
  const service = (): EventStore => authenticate(raw, { environment: 'test', eventKeys: ring('event'), log, metrics });
  const append = (store: EventStore): Promise<unknown> =>
    store.append(streamName('session', `${sessions++}`), NO_STREAM, [{ type: 'SessionCreated', data: {} }]);
  const writer = () => openMarkWriter({ eventStore: service(), clock, log });
  const historyOf = async (store = service()): Promise<StoreHistory> => {
    const history = openStoreHistory({ eventStore: store, clock, log, metrics });
    void history.run(leave.signal);
    await history.known;
    return history;
  };
  const marks = async (): Promise<readonly RecordedEvent[]> => raw.read(MARK_STREAM);
  const attack = async (...events: readonly (typeof MARKED | typeof NOTED)[]): Promise<void> => {
    const last = (await marks()).at(-1);
    await raw.append(MARK_STREAM, last?.revision ?? NO_STREAM, events);
  };
  /** Three marks of the service, with the note of a restoration between. Answers the history that they tell. */
  const written = async (): Promise<string> => {
    for (let mark = 0; mark < 3; mark += 1) {
      await append(service());
      await writer().write(leave.signal);
      clock.advance(2 * 60_000);
      if (mark === 0) await (await historyOf()).restored(undefined);
    }
    return (await marks())[1]!.id;
  };
  const restorations = async (): Promise<number> => (await metrics.storeRestorations.get()).values.reduce((sum, { value }) => sum + value, 0);

  const ATTACKS: readonly (readonly [string, () => Promise<void>])[] = [
    ['forges a mark', () => attack(MARKED)],
    ['forges many marks and notes', () => attack(...Array.from({ length: 60 }, (_, number) => (number % 2 ? MARKED : NOTED)))],
    [
      'writes a mark under keys of his own',
      async () => {
        const own = authenticate(raw, { environment: 'test', eventKeys: ring('intruder'), log: new SilentLog(), metrics: new Metrics() });
        const scratch = streamName('mark', 'scratch');
        await own.append(scratch, NO_STREAM, [{ type: 'RestorationNoted', data: { at: 0 } }]);
        const [{ type, data, metadata }] = (await raw.read(scratch)) as [RecordedEvent];
        await raw.append(MARK_STREAM, (await marks()).at(-1)?.revision ?? NO_STREAM, [{ type, data, metadata: metadata! }]);
      },
    ],
    ['closes the stream', () => raw.tombstone(MARK_STREAM)],
  ];

  describe.each(ATTACKS)('%s', (name, attacks) => {
    const closes = name === 'closes the stream';

    it('stops no process that writes marks: each try ends, with an alarm once an hour', async () => {
      await written();
      await attacks();
      const count = (await marks()).length;
      const one = writer();
      for (let time = 0; time < HOUR + MARK_CHECK_INTERVAL; time += HOUR / 4) {
        await append(service());
        await one.write(leave.signal);
        clock.advance(HOUR / 4);
      }
      expect(log.errors.filter((line) => line.startsWith('no marks of the event store are written'))).toHaveLength(2);
      expect(await marks()).toHaveLength(count);
    });

    it('stops no process that starts: it has the history that the service has told, and read models are written', async () => {
      const before = await written();
      await attacks();
      const store = service();
      const history = await historyOf(store);
      expect(history.id).toBe(closes ? '' : before);
      await store.append(streamName('thing', 'one'), NO_STREAM, SAID);
      const parts = { eventStore: store, history, clock, randomness, log, metrics };
      const projections = new Projections({ readModels: openSqliteReadModels(':memory:'), ...parts });
      const things = projections.follow(thingsProjection());
      await things.reaches(streamName('thing', 'one'), 0);
      expect(await things.read((database) => database.selectFrom('things_v1').select(['id', 'words']).execute())).toEqual([
        { id: 'one', words: 'hello' },
      ]);
      await projections.close();
    });

    it('stops no process over a store without a mark', async () => {
      await attacks();
      await append(service());
      await writer().write(leave.signal);
      expect((await historyOf()).id).toBe('');
    });

    it('keeps no process from acting on a restoration that it finds: an alarm tells it once, and what is kept by revision begins anew', async () => {
      await written();
      const history = await historyOf();
      const { id } = history;
      const last = (await marks()).at(-1);
      await attacks();
      let begunAnew = 0;
      history.onChange(() => (begunAnew += 1));
      for (let found = 0; found < 3; found += 1) await history.restored(last);
      expect([history.id, begunAnew]).toEqual([id, 1]);
      // The first one was noted before the attack.
      expect(await restorations()).toBe(2);
      expect(log.errors.filter((line) => line.includes('which its stream of marks cannot note'))).toHaveLength(1);
    });
  });
});
