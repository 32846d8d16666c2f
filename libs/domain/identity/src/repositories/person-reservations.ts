import { hmac, type IdentityId, type Secret } from '#kernel';
import { lastEventOf, readLast, release, reserve, type StreamName, type UnitOfWork } from '#engines/event-store';

import type { PersonalData } from '../domain/personal-data.js';
import { type PersonEvent, PERSONS } from '../streams.js';

const PERSON = lastEventOf<PersonEvent>(PERSONS);

/** The country and the personal code, which name one person. */
export type PersonKey = Pick<PersonalData, 'country' | 'personalCode'>;

/** Makes persons unique: one person has one identity, and therefore one subjectId for each client. */
export class PersonReservations {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly indexKey: Secret<Buffer>,
  ) {}

  /** Reserves the person. Answers the identity that holds the person: the given one, or the one that came first. */
  async reserve(person: PersonalData, identityId: IdentityId): Promise<IdentityId> {
    const claim: PersonEvent = { type: 'PersonReserved', data: { at: this.unitOfWork.clock.now(), identityId } };
    const isFree = (last: PersonEvent): boolean => last.type === 'PersonReleased';
    return holderOf(await reserve(this.unitOfWork, this.#on(person), claim, isFree)) ?? identityId;
  }

  /** The identity that holds the person; undefined when there is none, or it was erased. */
  async find(key: PersonKey): Promise<IdentityId | undefined> {
    const { last } = await readLast<PersonEvent>(this.unitOfWork.store, this.#stream(key));
    return last && holderOf(last);
  }

  /** Lets the person register again and erases the reservation. May be repeated. A reservation of another identity stays. */
  async release(person: PersonalData, identityId: IdentityId): Promise<void> {
    const released: PersonEvent = { type: 'PersonReleased', data: {} };
    await release(this.unitOfWork, this.#on(person), released, (last) => holderOf(last) === identityId);
  }

  #on(person: PersonKey) {
    return { type: PERSON, stream: this.#stream(person) };
  }

  // The letters of a personal code may be typed in either case.
  #stream({ country, personalCode }: PersonKey): StreamName {
    const hash = hmac(this.indexKey.reveal(), 'person', country, personalCode.toUpperCase());
    return PERSONS.of(hash.toString('hex'));
  }
}

/** Undefined when the person is not reserved. */
const holderOf = (event: PersonEvent): IdentityId | undefined => (event.type === 'PersonReserved' ? event.data.identityId : undefined);
