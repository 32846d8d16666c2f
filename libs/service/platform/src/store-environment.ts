import { InvalidSettings, type PlatformSettings } from '#service/config';
import { decideAndAppend, type EventStore, type ExpectedRevision, NO_STREAM, type RecordedEvent, StreamRefused } from '#engines/event-store';
import type { Clock } from '#kernel';

import { type EnvironmentNoted, STORE_ENVIRONMENT } from './streams.js';

type Settings = Pick<PlatformSettings, 'environment' | 'esdbUrl'>;

interface Noted {
  readonly first: RecordedEvent<EnvironmentNoted> | undefined;
  readonly revision: ExpectedRevision;
}

/**
 * The `ENVIRONMENT` of a store, for ever: the first process of all notes its own one. Every subjectId and the MAC of every other event are derived from it, so a process
 * of another environment could read nothing, and what it stored would be refused by the others.
 */
export class StoreEnvironment {
  #checked: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the store names the environment of this process. A success is remembered; after a failure the next call asks the store again. Throws
   * {@link InvalidSettings} for another one, and passes on the errors of the store.
   */
  check(): Promise<void> {
    this.#checked ??= this.#compare().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  async #compare(): Promise<void> {
    const { environment } = this.settings;
    const noted = await this.#note().catch((error: unknown) => this.#ifRefused(error));
    if (noted !== undefined && noted !== environment) throw new InvalidSettings([differs(this.settings, noted)]);
  }

  /** The first event counts, whatever was appended after it. Below the unit of work: until it agrees, no work stores anything. */
  async #note(): Promise<string> {
    const { store, clock } = this;
    const [stream, { environment }] = [STORE_ENVIRONMENT.of('store'), this.settings];
    const note: EnvironmentNoted = { type: 'EnvironmentNoted', data: { at: clock.now(), environment } };
    const { loaded } = await decideAndAppend<Noted, EnvironmentNoted>({ store, clock }, stream, {
      load: async () => {
        const [first] = await store.read<EnvironmentNoted>(stream, { limit: 1 });
        return { first, revision: first?.revision ?? NO_STREAM };
      },
      decide: ({ first }) => (first ? [] : [note]),
    });
    return (loaded.first ?? note).data.environment;
  }

  /** Another party wrote to the stream. The store has raised its alarm; no other stream is held back for that. */
  #ifRefused(error: unknown): undefined {
    if (!(error instanceof StreamRefused)) throw error;
    if (error.because === 'key') throw new InvalidSettings([unreadable(this.settings)]);
  }
}

const placeOf = ({ esdbUrl }: Settings): string => (esdbUrl === undefined ? 'DATA_DIR' : 'ESDB_URL');

const differs = (settings: Settings, noted: string): string =>
  `ENVIRONMENT is ${settings.environment}, but this store was begun as ${noted}, and a store has one environment for ever. Set ENVIRONMENT to ${noted}, or ${placeOf(settings)} to a store of ${settings.environment}.`;

const unreadable = (settings: Settings): string =>
  `KEY_DIR: event.json holds no key of the service that began this store, so that nothing of it can be read. Put its event.json there, from the copy that you keep apart from the data, or set ${placeOf(settings)} to a store of this service (ENVIRONMENT ${settings.environment}).`;
