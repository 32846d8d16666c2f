import type { Clock, EventId, IdentityId } from '#kernel';
import type { EventStore, StreamName } from '#engines/event-store';
import type { ReadModel } from '#engines/read-model';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { IdentityEvent } from '../domain/identity.events.js';
import type { IdentityTables } from '../read-models/identities-projection.js';
import { isListed, subjectIdsIn } from '../read-models/rows-of-person.js';
import type { Identities } from '../repositories/identities.js';
import { deviceStream, identityStream, inboxStream, personalDataStream, personLimitsStream } from '../streams.js';

const STEPS = ['IdentityErased', 'ErasureCompleted', 'SessionsErased'] as const;

/** An event of an erasure. Times in epoch milliseconds. */
export interface ErasureEvent {
  readonly type: (typeof STEPS)[number];
  readonly eventId: EventId;
  /** The place in the person's own stream. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The message authentication code under which the event is stored. Absent for an event that is older than these codes. */
  readonly mac?: string;
}

/** A stream that held data of the person. */
export interface ErasedStream {
  readonly stream: StreamName;
  /** Whether a read still answers an event. */
  readonly readable: boolean;
}

/** What the service shows of an erasure. Times in epoch milliseconds. */
export interface ErasureProof {
  readonly identityId: IdentityId;
  /** `ERASING`: under way; `SESSIONS_LEFT`: all but the sessions, whose clients may still read their status; `ERASED`: all. */
  readonly state: 'ERASING' | 'SESSIONS_LEFT' | 'ERASED';
  /** Epoch milliseconds. */
  readonly erasedAt: number;
  /** The administrator who asked: the id of a token, `first-start`, or the subjectId at the portal. Absent for an older erasure, and if a restored store was erased again. */
  readonly erasedBy?: string;
  readonly events: readonly ErasureEvent[];
  /** When the proof read the streams and the read model. Epoch milliseconds. */
  readonly checkedAt: number;
  readonly streams: readonly ErasedStream[];
  /** Rows of the read model `identities` that still lead to the person. */
  readonly readModel: {
    /** Whether the list of persons has the person. */
    readonly listed: boolean;
    /** The number of subjectIds that still lead to the person. */
    readonly subjectIds: number;
  };
}

export interface ProveErasureParts {
  readonly eventStore: EventStore;
  readonly identities: Identities;
  readonly model: ReadModel<IdentityTables>;
  /** The streams of other libraries about a person. */
  readonly streams: readonly ((identityId: IdentityId) => StreamName)[];
  readonly clock: Clock;
}

/** Shows that a person was erased, by the stored events, which the event store has authenticated, and by the present answers of reads. */
export class ProveErasure {
  constructor(private readonly parts: ProveErasureParts) {}

  /**
   * Throws {@link IdentityNotFound} for an unknown person and for one who is not erased, ReadModelsUnavailable, and StreamRefused if the service did not write
   * an event of the person.
   */
  async execute(identityId: IdentityId): Promise<ErasureProof> {
    const { identities, eventStore, model, clock } = this.parts;
    const identity = await identities.get(identityId);
    if (identity.status !== 'ERASED') throw new IdentityNotFound(`identity is ${identity.status}`);
    const events = await eventStore.read<IdentityEvent>(identityStream(identityId));
    const steps = events.filter(isStep);
    const erased = steps.find((event) => event.type === 'IdentityErased');
    const newest = events.at(-1);
    if (newest) await model.covers(newest.position);
    const by = erased?.type === 'IdentityErased' ? erased.data.by : undefined;
    return {
      identityId,
      state: identity.sessionsErased ? 'ERASED' : identity.complete ? 'SESSIONS_LEFT' : 'ERASING',
      erasedAt: identity.erasedAt,
      ...(by !== undefined && { erasedBy: by }),
      events: steps.map(({ type, id, revision, data, metadata }) => ({
        type,
        eventId: id,
        sequence: revision,
        at: data.at,
        ...(metadata?.mac !== undefined && { mac: metadata.mac }),
      })),
      checkedAt: clock.now(),
      streams: await Promise.all(this.#streamsOf(identityId, identity.devices).map((stream) => this.#asked(stream))),
      readModel: await this.#readModel(identityId),
    };
  }

  #streamsOf(identityId: IdentityId, devices: readonly Parameters<typeof deviceStream>[0][]): readonly StreamName[] {
    const further = this.parts.streams.map((streamOf) => streamOf(identityId));
    return [personalDataStream(identityId), inboxStream(identityId), personLimitsStream(identityId), ...devices.map(deviceStream), ...further];
  }

  async #asked(stream: StreamName): Promise<ErasedStream> {
    const events = await this.parts.eventStore.read(stream, { direction: 'backwards', limit: 1 });
    return { stream, readable: events.length > 0 };
  }

  async #readModel(identityId: IdentityId): Promise<ErasureProof['readModel']> {
    const { model } = this.parts;
    const [listed, subjectIds] = await Promise.all([isListed(model, identityId), subjectIdsIn(model, identityId)]);
    return { listed, subjectIds: subjectIds.length };
  }
}

const isStep = <Event extends { readonly type: string }>(event: Event): event is Extract<Event, { type: (typeof STEPS)[number] }> =>
  (STEPS as readonly string[]).includes(event.type);
