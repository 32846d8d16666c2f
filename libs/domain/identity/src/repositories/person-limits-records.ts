import type { ClientId, IdentityId } from '#kernel';
import { decideOnLast, lastEventOf, readLast, type Streams, StreamTombstoned, type UnitOfWork } from '#engines/event-store';

import { NO_LIMITS, type PersonLimits, withDecline, withLogout } from '../domain/person-limits.js';
import { PERSON_LIMITS, type PersonLimitsKept, personLimitsStream } from '../streams.js';

const LIMITS = lastEventOf<PersonLimitsKept>(PERSON_LIMITS);

type Change = (limits: PersonLimits, streams: Streams) => PersonLimits | Promise<PersonLimits>;

/** The streams `personlimits-*`. A stream shows its newest event only. */
export class PersonLimitsRecords {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** None of a person who is erased. */
  async of(identityId: IdentityId): Promise<PersonLimits> {
    const { last } = await readLast<PersonLimitsKept>(this.unitOfWork.store, personLimitsStream(identityId));
    return last?.data ?? NO_LIMITS;
  }

  /** `change` runs within a work, and may run several times; the same object changes nothing. Does nothing for an erased person. Answers whether something has changed. */
  async change(identityId: IdentityId, change: Change): Promise<boolean> {
    return (await this.#decide(identityId, change))?.isAppended ?? false;
  }

  /**
   * The person asks to be logged out at the client. Answers the time of the wish, which a repetition within a minute shares. Undefined for an erased person, who is logged out
   * everywhere. `first` runs within the work: what it throws refuses the wish.
   */
  async logOut(identityId: IdentityId, clientId: ClientId, first: (streams: Streams) => Promise<unknown>): Promise<number | undefined> {
    const decided = await this.#decide(identityId, async (limits, streams) => {
      await first(streams);
      return withLogout(limits, clientId, this.unitOfWork.clock.now());
    });
    return decided?.last?.data.loggedOut?.find((wish) => wish.clientId === clientId)?.at;
  }

  /** Within a work: the person declines a pushed request of the client. */
  async declineIn(streams: Streams, identityId: IdentityId, clientId: ClientId): Promise<void> {
    const { store, clock } = this.unitOfWork;
    const stream = personLimitsStream(identityId);
    const loaded = await streams.load(LIMITS, stream);
    if (!loaded.state) await PERSON_LIMITS.retain(store, stream);
    loaded.decide([this.#kept(withDecline(loaded.state?.data ?? NO_LIMITS, clientId, clock.now()))]);
  }

  /** Erases them permanently. May be repeated. */
  async erase(identityId: IdentityId): Promise<void> {
    const stream = personLimitsStream(identityId);
    await PERSON_LIMITS.tombstone(this.unitOfWork.store, stream);
    this.unitOfWork.forget(stream);
  }

  /** Undefined for an erased person. */
  async #decide(identityId: IdentityId, change: Change) {
    const stream = personLimitsStream(identityId);
    try {
      return await decideOnLast(this.unitOfWork, { type: LIMITS, stream }, async (last, streams) => {
        const limits = last?.data ?? NO_LIMITS;
        const changed = await change(limits, streams);
        if (changed === limits) return [];
        if (!last) await PERSON_LIMITS.retain(this.unitOfWork.store, stream);
        return [this.#kept(changed)];
      });
    } catch (error) {
      if (error instanceof StreamTombstoned) return undefined;
      throw error;
    }
  }

  #kept({ blocked, declined, loggedOut }: PersonLimits): PersonLimitsKept {
    return { type: 'PersonLimitsKept', data: { at: this.unitOfWork.clock.now(), blocked, declined, ...(loggedOut && { loggedOut }) } };
  }
}
