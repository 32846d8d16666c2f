import type { SubjectNames } from '#domain/identity';
import type { ClientId, IdentityId, SubjectId } from '#kernel';

import type { HumanAdministrator } from '../domain/administrator.js';
import { personOfEnroller } from '../domain/enroller.js';
import { MemberNotFound, PortalPhoneNotFound } from '../domain/portal-members.errors.js';
import { clientOf } from '../domain/portal-membership.js';
import type { PortalMembers } from './portal-members.js';
import type { MembersPhone, PortalPhones } from './portal-phones.js';
import type { PortalSessions } from './portal-sessions.js';

export interface MembersOwnPhonesParts {
  readonly members: Pick<PortalMembers, 'isMember' | 'memberOf' | 'of' | 'phoneRevoked' | 'phoneStopped' | 'remove'>;
  readonly phones: PortalPhones;
  readonly sessions: Pick<PortalSessions, 'endAllOf'>;
  readonly names: Pick<SubjectNames, 'personOf' | 'ofIdentity'>;
}

/** The phones and sessions of a member, for the member and for those who lead the member's place (specification/admin.md#phones-of-members). */
export class MembersOwnPhones {
  constructor(private readonly parts: MembersOwnPhonesParts) {}

  /** The person's own phones, the newest first. */
  async ofPerson({ identityId }: Pick<HumanAdministrator, 'identityId'>): Promise<readonly MembersPhone[]> {
    const { members, phones } = this.parts;
    return this.#named(await phones.list(identityId, await members.of(identityId)));
  }

  /** One of the person's own phones. Throws PortalPhoneNotFound. */
  async find(human: Pick<HumanAdministrator, 'identityId'>, phoneId: string): Promise<MembersPhone> {
    const found = (await this.ofPerson(human)).find((phone) => phone.phoneId === phoneId.toLowerCase());
    if (!found) throw new PortalPhoneNotFound('no such phone of this person');
    return found;
  }

  /** Those of a member of a client, or of the staff, and whether they may act there. Throws MemberNotFound. */
  async ofMember(subjectId: SubjectId, clientId: ClientId | undefined): Promise<readonly MembersPhone[]> {
    const { members, phones } = this.parts;
    const identityId = await this.#member(subjectId, clientId);
    const there = (await members.of(identityId)).filter(({ scope }) => clientOf(scope) === clientId);
    return this.#named(await phones.list(identityId, there));
  }

  /**
   * The phone may not act for the client, or for the staff, until another phone of the member that may act there approves it. What it may do elsewhere stays: no tenant stops the
   * phones of another. Throws MemberNotFound and PortalPhoneNotFound.
   */
  async stop(subjectId: SubjectId, { clientId, phoneId, by }: { clientId?: ClientId; phoneId: string; by: string }): Promise<void> {
    const { phones, members } = this.parts;
    const identityId = await this.#member(subjectId, clientId);
    const deviceId = await phones.named(identityId, phoneId);
    await phones.stop(identityId, deviceId, { by, place: clientId ?? 'staff' });
    // What it has given to others there ends with it.
    await members.phoneStopped(deviceId, { by, through: clientId });
  }

  /** The same everywhere, by the person. Throws PortalPhoneNotFound. */
  async stopOwn({ identityId }: Pick<HumanAdministrator, 'identityId'>, phoneId: string, by: string): Promise<void> {
    const { phones, members } = this.parts;
    const deviceId = await phones.named(identityId, phoneId);
    await phones.stop(identityId, deviceId, { by });
    await members.phoneRevoked(deviceId);
  }

  /** The phone may act in the portal, as long as the one that has approved it may. Throws PortalPhoneNotFound. */
  async admit({ identityId, deviceId }: Pick<HumanAdministrator, 'identityId' | 'deviceId'>, phoneId: string): Promise<void> {
    const { phones } = this.parts;
    await phones.admit(identityId, await phones.named(identityId, phoneId), deviceId);
  }

  /** Logs a member of the staff out everywhere. Throws MemberNotFound. */
  async endSessions(subjectId: SubjectId): Promise<void> {
    await this.parts.sessions.endAllOf(await this.#member(subjectId, undefined));
  }

  /**
   * Removes the person there. Whoever is a member nowhere any more is logged out everywhere: no cookie of before gives rights again when the person is invited anew. A membership elsewhere
   * keeps the sessions, since no tenant logs out the members of another. Throws MemberNotFound, LastOwner and OwnClientRefused; ServiceUnavailable, perhaps after the removal: sessions that
   * are left have no rights then, and end within the hour.
   */
  async remove(subjectId: SubjectId, { clientId, by }: { readonly clientId: ClientId | undefined; readonly by: string }): Promise<void> {
    const { members, names, sessions } = this.parts;
    await members.remove(subjectId, clientId, by);
    const identityId = await names.personOf(subjectId);
    if (identityId && !(await members.isMember(identityId))) await sessions.endAllOf(identityId);
  }

  async #member(subjectId: SubjectId, clientId: ClientId | undefined): Promise<IdentityId> {
    const { members, names } = this.parts;
    const member = await members.memberOf(subjectId, clientId);
    const identityId = await names.personOf(member.subjectId);
    if (!identityId) throw new MemberNotFound('the person is erased');
    return identityId;
  }

  /** A person who has enrolled a phone is shown by the subjectId at the portal. */
  #named(phones: readonly MembersPhone[]): readonly MembersPhone[] {
    const shown = (name: string): string => {
      const identityId = personOfEnroller(name);
      return (identityId && this.parts.names.ofIdentity(identityId)[0]) ?? name;
    };
    return phones.map((phone) => ({ ...phone, enrolledBy: phone.enrolledBy.map(shown) }));
  }
}
