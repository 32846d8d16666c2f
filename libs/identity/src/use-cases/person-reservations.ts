import { type Clock, type DomainEvent, hmac, type IdentityId, type Randomness, type Secret } from '#kernel';
import { EventIds, type EventStore, NO_STREAM, type StreamName, streamName, WrongExpectedRevision } from '#event-store';

import type { PersonalData } from '../domain/personal-data.js';

/** The fact of the stream `person-<keyed hash of country and personal code>`. */
type PersonReserved = DomainEvent<'PersonReserved', { readonly at: number; readonly identityId: IdentityId }>;

/** Makes persons unique: one person has one identity, and so one subjectId for each client. */
export class PersonReservations {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly subjectKey: Secret<Buffer>,
  ) {}

  /** The identity that the person belongs to: the given one when there was none. */
  async reserve(person: PersonalData, identityId: IdentityId): Promise<IdentityId> {
    const stream = this.#stream(person);
    const event: PersonReserved = { type: 'PersonReserved', data: { at: this.clock.now(), identityId } };
    const id = new EventIds(this.randomness).next(stream);
    for (;;) {
      const holder = await this.#holder(stream);
      if (holder) return holder;
      try {
        await this.store.append(stream, NO_STREAM, [{ ...event, id }]);
        return identityId;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  /** Lets the person be registered anew. A reservation for another identity stays. */
  async release(person: PersonalData, identityId: IdentityId): Promise<void> {
    const stream = this.#stream(person);
    if ((await this.#holder(stream)) === identityId) await this.store.delete(stream);
  }

  async #holder(stream: StreamName): Promise<IdentityId | undefined> {
    const [reserved] = await this.store.read(stream, { limit: 1 });
    return (reserved as unknown as PersonReserved | undefined)?.data.identityId;
  }

  // Some write their code with small letters, some with capitals.
  #stream({ country, personalCode }: PersonalData): StreamName {
    const hash = hmac(this.subjectKey.reveal(), 'person', country, personalCode.toUpperCase());
    return streamName('person', hash.toString('hex'));
  }
}
