import { afterEach, beforeEach } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';
import { type EventStore, NO_STREAM, SqliteEventStore, streamName, type SubscribeOptions } from '#engines/event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '#engines/read-model';
import type { ReadModel } from '#engines/read-model';
import type { ReadModels } from '#engines/read-model';
import { thingsProjection, type ThingTables } from '../things.js';
import type { ReadModelsSubject } from './database.js';

/** Projections of things that say words, over an event store and a database that are new for each test. */
export class ProjectionFixture {
  store!: EventStore;
  /** The words that the projection of {@link start} was given, in their order. */
  readonly handedOver: string[] = [];
  readonly #revisions = new Map<string, number>();
  #opened: Projections[] = [];

  constructor(private readonly subject: ReadModelsSubject) {
    beforeEach(async () => {
      this.store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
      this.handedOver.length = 0;
      this.#revisions.clear();
      this.#opened = [];
      await subject.make();
    });
    afterEach(async () => {
      await Promise.all(this.#opened.map((projections) => projections.close()));
      await this.store.close();
      await subject.remove();
    });
  }

  /** Opens the database once more. The caller closes it. */
  open(): ReadModels {
    return this.subject.open();
  }

  /** Appends the words, one event each. */
  async say(thing: string, ...words: string[]): Promise<void> {
    const events = words.map((word) => ({ type: 'Said', data: { word } }));
    const { revision } = await this.store.append(streamName('thing', thing), this.#revisions.get(thing) ?? NO_STREAM, events);
    this.#revisions.set(thing, revision);
  }

  /** Closes the store and goes on with this one, which holds these things. */
  async replaceStore(store: EventStore, things: readonly string[]): Promise<void> {
    await this.store.close();
    this.store = store;
    this.#revisions.clear();
    for (const thing of things) for (const { revision } of await store.read(streamName('thing', thing))) this.#revisions.set(thing, revision);
  }

  /** The process's projections over the database, following none yet. */
  projections(times?: ConstructorParameters<typeof Projections>[0]['times']): { projections: Projections; metrics: Metrics } {
    const metrics = new Metrics();
    const parts = { eventStore: this.store, clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics };
    const projections = new Projections({ readModels: this.open(), ...parts, ...(times && { times }) });
    this.#opened.push(projections);
    return { projections, metrics };
  }

  /** Starts a process that follows the projection. */
  start(
    projection = thingsProjection({ beforeEach: (word) => void this.handedOver.push(word) }),
    times = { beat: 50, takeOver: 400, watch: 20, retry: 20 },
  ): { projections: Projections; things: ReadModel<ThingTables>; metrics: Metrics } {
    const { projections, metrics } = this.projections(times);
    return { projections, things: projections.follow(projection), metrics };
  }

  /** The options of each subscription that begins from now on. */
  observeSubscriptions(): readonly SubscribeOptions[] {
    const seen: SubscribeOptions[] = [];
    const subscribe = this.store.subscribe.bind(this.store);
    this.store.subscribe = ((options: SubscribeOptions) => {
      seen.push(options);
      return subscribe(options);
    }) as EventStore['subscribe'];
    return seen;
  }

  rows(things: ReadModel<ThingTables>): Promise<readonly { id: string; words: string; revision: number }[]> {
    return things.read((database) => database.selectFrom('things_v1').select(['id', 'words', 'revision']).orderBy('place').execute());
  }

  /** The rows once they show the last word of the thing. */
  async rowsAfter(things: ReadModel<ThingTables>, thing: string): Promise<readonly object[]> {
    await things.reaches(streamName('thing', thing), this.#revisions.get(thing) ?? 0);
    return this.rows(things);
  }
}
