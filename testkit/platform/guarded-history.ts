import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, type NewEvent, NO_STREAM, type RecordedEvent, type StreamName, StreamRefused } from '#engines/event-store';
import { HistoryPass } from '#engines/transparency-log';
import { type KeyRing, Secret } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { StaticKeyRing } from '../kernel/static-key-ring.js';
import { authenticate, GUARDED_EVENTS, openCheckpointWriter, openHistoryGuard, type Platform, STREAMS } from '#service/platform';
import { Log, Metrics } from '#telemetry';

import type { StoreEngine } from '../event-store/store-engines.js';

const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);
const signal = new AbortController().signal;

/** A log that keeps the reasons of its errors. */
class KeptReasons extends Log {
  readonly reasons: string[] = [];

  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(_message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.reasons.push(String(fields?.['reason']));
  }
}

/** A stream for each guarded type of event. */
export const GUARDED_TYPES = STREAMS.flatMap((streams) => streams.terms.guarded.map((type) => ({ type, stream: streams.of(`of-${type}`), streams })));

/** Their streams. */
export const GUARDED_STREAMS: readonly StreamName[] = GUARDED_TYPES.map(({ stream }) => stream);

/** A process over a store, with what it compares. */
export type Begun = NonNullable<ReturnType<typeof openHistoryGuard>>;

/** A store whose guarded events have checkpoints in a folder of the run, and processes over it and over copies of it, whose alarms are kept. */
export class GuardedHistory implements AsyncDisposable {
  readonly log = new KeptReasons();
  readonly #stores: EventStore[];

  private constructor(
    private readonly engine: StoreEngine,
    readonly clock: FixedClock,
    /** Where the checkpoints lie. */
    public directory: string,
    readonly raw: EventStore,
  ) {
    this.#stores = [raw];
  }

  static async open(engine: StoreEngine): Promise<GuardedHistory> {
    const clock = new FixedClock();
    return new GuardedHistory(engine, clock, await mkdtemp(join(tmpdir(), 'anchor-')), await engine.open(clock));
  }

  /** An empty store. */
  async newStore(): Promise<EventStore> {
    const store = await this.engine.open(this.clock);
    this.#stores.push(store);
    return store;
  }

  partsOver(store: EventStore): Platform {
    const { clock, log } = this;
    return {
      settings: { environment: 'test', anchorDirectory: this.directory },
      keys: { checkpoint: ring('checkpoint') },
      eventStore: authenticate(store, { environment: 'test', eventKeys: ring('event'), log, metrics: new Metrics() }),
      clock,
      log,
      metrics: new Metrics(),
      useCases: { administration: () => ({ securityLines: async () => [] }) },
    } as unknown as Platform;
  }

  /** A process that begins over the store. */
  async begun(store: EventStore): Promise<Begun> {
    const history = openHistoryGuard({ ...this.partsOver(store), pause: async () => undefined })!;
    await history.guard.look();
    return history;
  }

  /** Appends events of these types as the service does. */
  async append(store: EventStore, stream: StreamName, types: readonly string[], from: number | typeof NO_STREAM = NO_STREAM): Promise<void> {
    const events = types.map((type): NewEvent => ({ type, data: { at: this.clock.now() } }));
    await this.partsOver(store).eventStore.append(stream, from, events);
  }

  checkpoint(store = this.raw): Promise<void> {
    return openCheckpointWriter(this.partsOver(store))!.write(signal);
  }

  /** Another store with these events of the first one. */
  copyOf(keeps: (event: RecordedEvent) => boolean): Promise<EventStore> {
    return this.changedCopy((_, events) => events.filter(keeps));
  }

  /** Another store, in which each stream has the events that the change makes of those of the first one. */
  async changedCopy(change: (stream: StreamName, events: readonly RecordedEvent[]) => readonly RecordedEvent[]): Promise<EventStore> {
    const copy = await this.newStore();
    const streams = new Map<StreamName, RecordedEvent[]>();
    const ended = new AbortController();
    for await (const item of this.raw.subscribe({ categories: STREAMS.map(({ category }) => category), signal: ended.signal })) {
      if (item === 'caught-up') break;
      streams.set(item.stream, [...(streams.get(item.stream) ?? []), item]);
    }
    ended.abort();
    for (const [stream, events] of streams) {
      for (const [revision, { type, data, id, metadata }] of change(stream, events).entries())
        await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, metadata: metadata! }], { ids: [id] });
    }
    return copy;
  }

  /** Compares each leaf. Answers how many. */
  async passOver({ guard, eventStore: store }: Begun): Promise<number> {
    let compared = 0;
    const passed = (leaves: number): number => (compared = leaves);
    await new HistoryPass({ store, guard, guarded: GUARDED_EVENTS, passed, pause: async () => undefined }).run(signal);
    return compared;
  }

  /** Which of the guarded streams are refused when they are read. */
  async refusedIn({ eventStore }: Begun): Promise<readonly StreamName[]> {
    const refused: StreamName[] = [];
    for (const stream of GUARDED_STREAMS) {
      await eventStore.read(stream).catch((error: unknown) => {
        if (!(error instanceof StreamRefused) || error.stream !== stream) throw error;
        refused.push(stream);
      });
    }
    return refused;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#stores) await store.close();
    await rm(this.directory, { recursive: true });
  }
}
