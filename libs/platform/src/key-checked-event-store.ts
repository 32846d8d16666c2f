import { setTimeout } from 'node:timers/promises';

import { InvalidSettings, type PlatformSettings } from '#config';
import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  ForwardingEventStore,
  type NewEvent,
  type StreamName,
} from '#event-store';
import { type Clock, ServiceUnavailable } from '#kernel';
import type { Log } from '#telemetry';

import { KeysInUse } from './keys-in-use.js';
import type { PlatformKeys } from './platform.js';

/** Milliseconds that a start waits for the comparison, when the store need not be available yet. */
const START_PATIENCE = 2_000;

interface Dependencies {
  readonly keys: PlatformKeys;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The store, which is not used with other keys than it was begun with. Throws {@link InvalidSettings} and closes the store when it answers so now; an EventStoreDB that does
 * not answer is asked again later.
 */
export const withCheckedKeys = async (store: EventStore, settings: PlatformSettings, { keys, clock, log }: Dependencies): Promise<EventStore> => {
  const inUse = new KeysInUse(store, keys, clock);
  try {
    if (settings.esdbUrl === undefined) {
      await inUse.check();
      return store;
    }
    await Promise.race([inUse.check().catch(unlessRefused), setTimeout(START_PATIENCE, undefined, { ref: false })]);
    return new KeyCheckedEventStore(store, inUse, log);
  } catch (error) {
    await store.close();
    throw error;
  }
};

const unlessRefused = (error: unknown): void => {
  if (error instanceof InvalidSettings) throw error;
};

/**
 * A store that need not be available at the start. Until it has shown that it was begun with the keys of this service, nothing is appended and the
 * process is not ready.
 */
class KeyCheckedEventStore extends ForwardingEventStore {
  #reported = false;

  constructor(
    store: EventStore,
    private readonly keys: KeysInUse,
    private readonly log: Log,
  ) {
    super(store);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    await this.#checkKeys();
    return super.append(stream, expected, events, options);
  }

  override async check(): Promise<void> {
    await this.#checkKeys();
    return super.check();
  }

  async #checkKeys(): Promise<void> {
    try {
      await this.keys.check();
    } catch (error) {
      if (!(error instanceof InvalidSettings)) throw error;
      if (!this.#reported) for (const problem of error.problems) this.log.error(problem, { component: 'keys' });
      this.#reported = true;
      throw new ServiceUnavailable('the keys of this service are not those of the store');
    }
  }
}
