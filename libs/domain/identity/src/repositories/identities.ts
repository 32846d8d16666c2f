import type { IdentityId } from '#kernel';
import {
  CommandHandler,
  type EventStore,
  type ExpectedRevision,
  type Loaded,
  type StreamLooks,
  readLast,
  type RecordedEvent,
  type Streams,
  type StreamType,
  type UnitOfWork,
} from '#engines/event-store';

import type { IdentityCommand } from '../domain/identity.commands.js';
import { identityDecider } from '../domain/identity.decider.js';
import type { IdentityEvent } from '../domain/identity.events.js';
import type { Identity } from '../domain/identity.js';
import { IDENTITIES, identityStream } from '../streams.js';

const IDENTITY_TYPE: StreamType<Identity, IdentityCommand, IdentityEvent> = { category: IDENTITIES.category, decider: identityDecider };

/** The streams `identity-*`. */
export class Identities {
  readonly #handler;

  constructor(
    private readonly store: EventStore,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.#handler = new CommandHandler(unitOfWork, IDENTITY_TYPE);
  }

  /** Within a work that only looks at the person. */
  async lookIn(streams: StreamLooks, identityId: IdentityId): Promise<Identity> {
    return (await streams.look(IDENTITY_TYPE, identityStream(identityId))).state;
  }

  /** The revision of the stream within such a work. */
  async revisionIn(streams: StreamLooks, identityId: IdentityId): Promise<ExpectedRevision> {
    return (await streams.look(IDENTITY_TYPE, identityStream(identityId))).revision;
  }

  /** The same, as this process remembers the person: {@link Streams.recall}. */
  async recallIn(streams: Streams, identityId: IdentityId): Promise<Identity> {
    return (await streams.recall(IDENTITY_TYPE, identityStream(identityId))).state;
  }

  /** The person as this process remembers it: {@link UnitOfWork.remembered}. */
  remembered(identityId: IdentityId): Identity | undefined {
    return this.unitOfWork.remembered(IDENTITY_TYPE, identityStream(identityId))?.state;
  }

  /** {@link UnitOfWork.prepare}. */
  prepare(identityId: IdentityId): Promise<void> {
    return this.unitOfWork.prepare(IDENTITY_TYPE, identityStream(identityId));
  }

  async get(identityId: IdentityId): Promise<Identity> {
    return (await this.#handler.load(identityStream(identityId))).state;
  }

  /** With the revision of the stream's last event. */
  load(identityId: IdentityId): Promise<Loaded<Identity, IdentityEvent>> {
    return this.#handler.load(identityStream(identityId));
  }

  /** The newest event of the identity. Undefined for an unknown one. */
  async newest(identityId: IdentityId): Promise<RecordedEvent<IdentityEvent> | undefined> {
    return (await readLast<IdentityEvent>(this.store, identityStream(identityId))).last;
  }

  async isRegistered(identityId: IdentityId): Promise<boolean> {
    return (await this.get(identityId)).status === 'REGISTERED';
  }

  /** When the erasure began, epoch milliseconds. Undefined for a person who is not erased. */
  async erasedAt(identityId: IdentityId): Promise<number | undefined> {
    const identity = await this.get(identityId);
    return identity.status === 'ERASED' ? identity.erasedAt : undefined;
  }

  /** See {@link CommandHandler}. */
  handle(
    identityId: IdentityId,
    command: (identity: Identity) => IdentityCommand | Promise<IdentityCommand>,
  ): Promise<Loaded<Identity, IdentityEvent>> {
    return this.#handler.handle(identityStream(identityId), command);
  }
}
