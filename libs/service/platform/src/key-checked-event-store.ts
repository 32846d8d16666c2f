import { InvalidSettings, type PlatformSettings } from '#service/config';
import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  ForwardingEventStore,
  type NewEvent,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
} from '#engines/event-store';
import { backgroundPause, type Clock, type DomainEvent, type Pause, retry, ServiceUnavailable } from '#kernel';
import type { Log } from '#telemetry';

import { KeysInUse } from './keys-in-use.js';
import type { PlatformKeys } from './platform-parts.js';
import { StoreEnvironment } from './store-environment.js';

/** Milliseconds that a start waits for the comparison, when the store need not be available yet. */
const START_TIME_LIMIT = 2_000;
/** Milliseconds between two questions to a store that was not available at the start. */
const INTERVAL = 1_000;

interface Dependencies {
  readonly keys: PlatformKeys;
  readonly clock: Clock;
  readonly log: Log;
  /** Told once, after the start, that the process has to end: the store was begun in another environment or with other keys. */
  readonly refused: (error: InvalidSettings) => void;
  /** Waits so many milliseconds, or until the signal. Default: the system's timer. */
  readonly pause?: Pause;
}

/**
 * A store that can be used only in the environment and with the keys with which it was begun. Throws {@link InvalidSettings} and closes the store when it answers
 * at once that they differ. An EventStoreDB that does not answer is asked again until it does.
 */
export const withCheckedKeys = async (store: EventStore, settings: PlatformSettings, dependencies: Dependencies): Promise<EventStore> => {
  const { keys, clock } = dependencies;
  const environment = new StoreEnvironment(store, settings, clock);
  const keysInUse = new KeysInUse(store, keys, clock);
  // The keys of a store of another environment are none of this service's business.
  const check = (): Promise<void> => environment.check().then(() => keysInUse.check());
  try {
    // Its appends note the next subject key when that begins.
    if (settings.esdbUrl === undefined) {
      await check();
      return new KeyCheckedEventStore(store, check, dependencies);
    }
    await Promise.race([check().catch(unlessRefused), backgroundPause(START_TIME_LIMIT)]);
    const checked = new KeyCheckedEventStore(store, check, dependencies);
    void checked.ask();
    return checked;
  } catch (error) {
    await store.close();
    throw error;
  }
};

const unlessRefused = (error: unknown): void => {
  if (error instanceof InvalidSettings) throw error;
};

/**
 * A store that need not be available at the start. Until it has shown that it was begun in the environment and with the keys of this service, nothing is stored
 * or erased and the process is not ready.
 */
class KeyCheckedEventStore extends ForwardingEventStore {
  readonly #closed = new AbortController();
  #reported = false;

  constructor(
    store: EventStore,
    /** Throws {@link InvalidSettings} when they differ. */
    private readonly compare: () => Promise<void>,
    private readonly dependencies: Pick<Dependencies, 'log' | 'refused' | 'pause'>,
  ) {
    super(store);
  }

  /** Compares them as soon as the store answers, also while no request asks for it. */
  async ask(): Promise<void> {
    const { signal } = this.#closed;
    const { pause = backgroundPause } = this.dependencies;
    const asking = retry(() => this.#check(), { waits: INTERVAL, when: () => !this.#reported, signal, pause });
    await asking.catch(() => undefined); // closed, or reported
  }

  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.store.recent<Event>(stream);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    await this.#check();
    return super.append(stream, expected, events, options);
  }

  override async appendTogether(
    appends: readonly StreamAppend[],
    unchanged?: readonly StreamRevision[],
  ): Promise<readonly AppendResult[] | undefined> {
    await this.#check();
    return super.appendTogether(appends, unchanged);
  }

  override async setRetention(stream: StreamName, retention: Retention): Promise<void> {
    await this.#check();
    return super.setRetention(stream, retention);
  }

  override async truncateBefore(stream: StreamName, revision: number): Promise<void> {
    await this.#check();
    return super.truncateBefore(stream, revision);
  }

  override async tombstone(stream: StreamName): Promise<void> {
    await this.#check();
    return super.tombstone(stream);
  }

  override async check(): Promise<void> {
    await this.#check();
    return super.check();
  }

  override close(): Promise<void> {
    this.#closed.abort();
    return super.close();
  }

  async #check(): Promise<void> {
    try {
      await this.compare();
    } catch (error) {
      if (!(error instanceof InvalidSettings)) throw error;
      this.#report(error);
      throw new ServiceUnavailable('the store was begun in another environment, or with other keys');
    }
  }

  #report(error: InvalidSettings): void {
    if (this.#reported) return;
    this.#reported = true;
    for (const problem of error.problems) this.dependencies.log.error(problem, { component: 'event-store' });
    this.dependencies.refused(error);
  }
}
