import type { FindLivingPerson, FindPhoneOrigins } from '#domain/identity';
import { CommandHandler, type StreamLooks, NewerEventStored, type UnitOfWork } from '#engines/event-store';
import { type DeviceId, hmac, type IdentityId, type Secret, uuidOf } from '#kernel';

import { PortalPhoneNotFound } from '../domain/portal-members.errors.js';
import { isTrusted, type PhoneFacts, trustedFrom } from '../domain/portal-phones.js';
import type { Membership, PortalPlace } from '../domain/portal-membership.js';
import { PORTAL_PHONES } from '../streams.js';
import { PHONES } from './stream-types.js';

export interface PortalPhonesParts {
  readonly unitOfWork: UnitOfWork;
  readonly living: Pick<FindLivingPerson, 'executeIn'>;
  readonly origins: Pick<FindPhoneOrigins, 'execute' | 'executeIn'>;
  /** Derives the ids by which the portal names phones. A phone has the same deviceId at every client, so no member is told it. */
  readonly key: Secret<Buffer>;
  /** How long a phone that was enrolled after the joining waits, in milliseconds. */
  readonly wait: number;
}

/** A phone of a member, as the member and those who lead the member's place see it. */
export interface MembersPhone {
  /** In the portal alone. */
  readonly phoneId: string;
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
  /** `person:` and the identityId of a person of the portal, the id of a token, or `first-start`. */
  readonly enrolledBy: readonly string[];
  /** Whether it may log in to the portal now. */
  readonly trusted: boolean;
  /** When it may without an approval, epoch milliseconds. Absent where it may, or never will by waiting. */
  readonly trustedFrom?: number;
}

/** Which phones of a member may act for the member in the portal. */
export class PortalPhones {
  readonly #handler;

  constructor(private readonly parts: PortalPhonesParts) {
    this.#handler = new CommandHandler(parts.unitOfWork, PHONES);
  }

  /** The memberships that the phone may use. Reads nothing for the phone by which the person has joined everywhere. Throws ServiceUnavailable and NewerEventStored. */
  trustedFor(identityId: IdentityId, deviceId: DeviceId, memberships: readonly Membership[]): Promise<readonly Membership[]> {
    return this.trustedIn(this.parts.unitOfWork.looks, { identityId, deviceId }, memberships);
  }

  /** The same within a work that only looks at the phones. */
  async trustedIn(
    looks: StreamLooks,
    { identityId, deviceId }: { readonly identityId: IdentityId; readonly deviceId: DeviceId },
    memberships: readonly Membership[],
  ): Promise<readonly Membership[]> {
    if (memberships.every((each) => each.deviceId === deviceId)) return memberships;
    const facts = await this.#facts(identityId, looks);
    return memberships.filter((each) => isTrusted(each, deviceId, facts));
  }

  /** The person's phones that are not gone, the newest first, as far as these memberships of the person are concerned. */
  async list(identityId: IdentityId, memberships: readonly Membership[]): Promise<readonly MembersPhone[]> {
    const facts = await this.#facts(identityId);
    const origins = await this.parts.origins.execute(identityId);
    return origins
      .filter(({ deviceId }) => !facts.isGone(deviceId))
      .map(({ enrolledAt, enrolledBy, deviceId }) => {
        const trusted = memberships.some((each) => isTrusted(each, deviceId, facts));
        const from = Math.min(...memberships.map((each) => trustedFrom(each, deviceId, facts) ?? Infinity));
        return { phoneId: this.idOf(deviceId), enrolledAt, enrolledBy, trusted, ...(!trusted && from !== Infinity && { trustedFrom: from }) };
      })
      .toReversed();
  }

  /** The person's phones that were enrolled after this time, epoch milliseconds; revoked ones too. */
  async enrolledAfter(identityId: IdentityId, time: number): Promise<readonly DeviceId[]> {
    const origins = await this.parts.origins.execute(identityId);
    return origins.filter(({ enrolledAt }) => enrolledAt > time).map(({ deviceId }) => deviceId);
  }

  /** The id by which the portal names the phone. */
  idOf(deviceId: DeviceId): string {
    return uuidOf(hmac(this.parts.key.reveal(), 'portal-phone', deviceId));
  }

  /** The phone of the person that the portal names so. Throws PortalPhoneNotFound. */
  async named(identityId: IdentityId, phoneId: string): Promise<DeviceId> {
    const found = (await this.parts.origins.execute(identityId)).find(({ deviceId }) => this.idOf(deviceId) === phoneId.toLowerCase());
    if (!found) throw new PortalPhoneNotFound('no such phone of this person');
    return found.deviceId;
  }

  /** `by`: the person's own phone, which has approved it. */
  async admit(identityId: IdentityId, deviceId: DeviceId, by: DeviceId): Promise<void> {
    await this.#handler.handle(PORTAL_PHONES.of(identityId), () => ({ type: 'AdmitPhone', now: this.#now, deviceId, by }));
  }

  /**
   * The phone may not act in the place until another phone of the person, which may act there, approves it. `by`: a subjectId at the portal. Without a place: everywhere, which is
   * for the person alone.
   */
  async stop(identityId: IdentityId, deviceId: DeviceId, { by, place }: { readonly by: string; readonly place?: PortalPlace }): Promise<void> {
    await this.#handler.handle(PORTAL_PHONES.of(identityId), () => ({ type: 'StopPhone', now: this.#now, deviceId, by, place }));
  }

  /** Erases what is stored of the person's phones here. May be repeated. */
  async forget(identityId: IdentityId): Promise<void> {
    await PORTAL_PHONES.tombstone(this.parts.unitOfWork.store, PORTAL_PHONES.of(identityId));
    this.parts.unitOfWork.forget(PORTAL_PHONES.of(identityId));
  }

  async #facts(identityId: IdentityId, looks: StreamLooks = this.parts.unitOfWork.looks): Promise<PhoneFacts> {
    const { origins, living, wait } = this.parts;
    const [{ state, newer }, found] = await Promise.all([looks.look(PHONES, PORTAL_PHONES.of(identityId)), origins.executeIn(looks, identityId)]);
    if (newer) throw new NewerEventStored(newer);
    const usable = await Promise.all(found.map(async ({ deviceId }) => ((await living.executeIn(looks, deviceId)) === undefined ? [] : [deviceId])));
    const counts = new Set(usable.flat());
    return {
      decided: state,
      enrolledAt: new Map(found.map(({ deviceId, enrolledAt }) => [deviceId, enrolledAt])),
      isGone: (deviceId) => !counts.has(deviceId),
      now: this.#now,
      wait,
    };
  }

  get #now(): number {
    return this.parts.unitOfWork.clock.now();
  }
}
