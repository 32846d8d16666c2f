import type { SubjectNames } from '#domain/identity';
import type { ClientId, Clock, IdentityId, SubjectId } from '#kernel';

import type { Membership } from '../domain/portal-membership.js';
import type { MembersOwnPhones } from './members-own-phones.js';
import type { PortalMembers } from './portal-members.js';
import type { MembersPhone, PortalPhones } from './portal-phones.js';

/** How long a phone is news to those who lead the member's place, in milliseconds: for as long as its enroller does not count beside its owner, 7 days. */
const NEWS_FOR = 7 * 24 * 3_600_000;

/** A phone that a member has got since the joining. */
export interface NewPhone extends MembersPhone {
  readonly subjectId: SubjectId;
  /** Of the member. */
  readonly label: string;
}

export interface NewPhonesParts {
  readonly members: Pick<PortalMembers, 'team'>;
  readonly phones: Pick<PortalPhones, 'enrolledAfter' | 'idOf'>;
  readonly ownPhones: Pick<MembersOwnPhones, 'ofMember'>;
  /** Of the portal's own client. */
  readonly names: Pick<SubjectNames, 'personOf'>;
  readonly clock: Clock;
}

/** Tells those who lead a place of each new phone of its members, so that they can stop it (specification/admin.md#phones-of-members). */
export class NewPhones {
  constructor(private readonly parts: NewPhonesParts) {}

  /** Of the members of a client, or of the staff; without the phones of the joining. Found in the streams of the persons, so that no crash leaves one out. The newest first. */
  async execute(clientId: ClientId | undefined): Promise<readonly NewPhone[]> {
    const { members } = await this.parts.members.team(clientId);
    const persons = new Map<IdentityId, Membership[]>();
    for (const member of members) {
      const identityId = await this.parts.names.personOf(member.subjectId);
      if (identityId) persons.set(identityId, [...(persons.get(identityId) ?? []), member]);
    }
    const found = await Promise.all([...persons].map(([identityId, places]) => this.#ofPerson(identityId, places, clientId)));
    return found.flat().toSorted((one, other) => other.enrolledAt - one.enrolledAt);
  }

  async #ofPerson(identityId: IdentityId, places: readonly Membership[], clientId: ClientId | undefined): Promise<readonly NewPhone[]> {
    const { phones, ownPhones, clock } = this.parts;
    const joined = places.map(({ deviceId }) => deviceId);
    const lately = await phones.enrolledAfter(identityId, clock.now() - NEWS_FOR);
    const news = new Set(lately.filter((deviceId) => !joined.includes(deviceId)).map((deviceId) => phones.idOf(deviceId)));
    const [place] = places;
    if (news.size === 0 || !place) return [];
    const { subjectId, label } = place;
    const all = await ownPhones.ofMember(subjectId, clientId);
    return all.filter(({ phoneId }) => news.has(phoneId)).map((phone) => ({ subjectId, label, ...phone }));
  }
}
