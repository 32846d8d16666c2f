import { InvitationNotFound, type PortalMembers, type PortalPhones, type PortalSessions } from '#domain/administration';
import { isGuarded } from '#service/config';
import type { FindLivingPerson } from '#domain/identity';
import { type ClientId, type DeviceId, hmac, type IdentityId, Secret, ServiceUnavailable, type SubjectId } from '#kernel';
import type { Platform } from '#service/platform';
import { CountersignError, loginPageUrl, RelyingPartyClient } from '#clients/relying-party';
import { type KeepOwnClient, portalClientId } from '#domain/relying-party';
import type { FindApprovingDevice } from '#domain/session';

import type { LoginUnderWay } from './portal-cookies.js';

/** Why a login led to no session. The page has a text for each. */
export type LoginRefusal = 'login' | 'invitation' | 'membership' | 'phone';

type Session = Awaited<ReturnType<PortalSessions['begin']>>;

/** A person who has logged in, and the phone that approved it. */
interface LoggedIn {
  readonly subjectId: SubjectId;
  readonly identityId: IdentityId;
  readonly deviceId: DeviceId;
}

export interface PortalLoginParts {
  readonly keepOwnClient: KeepOwnClient;
  readonly portalMembers: PortalMembers;
  readonly portalSessions: PortalSessions;
  readonly portalPhones: PortalPhones;
  readonly findApprovingDevice: FindApprovingDevice;
  readonly findLivingPerson: FindLivingPerson;
}

/** The logins to the portal: as those of every relying party, over the hosted page, with the SDK. */
export class PortalLogin {
  readonly #redirectUri: string;
  readonly #clientId: ClientId;
  readonly #clientSecret: Secret<string>;
  #client: RelyingPartyClient | undefined;

  constructor(
    private readonly platform: Pick<Platform, 'settings' | 'keys'>,
    private readonly parts: PortalLoginParts,
  ) {
    const { keys, settings } = platform;
    this.#redirectUri = `${new URL(settings.portalUrl).origin}/portal/v1/callback`;
    this.#clientId = portalClientId(keys.index, settings.environment);
    this.#clientSecret = new Secret(hmac(keys.index.key.reveal(), 'portal-client-secret', settings.environment).toString('base64url'));
  }

  /**
   * Registers the portal's own client with what these logins need: a code that changes each second, so that a photo of it is of no use, and a verification code
   * for logins that are pushed. Throws ServiceUnavailable.
   */
  keepClient(): Promise<void> {
    const terms = { redirectUris: [this.#redirectUri], allowedAttributes: [], allowedPredicates: [], dynamicQr: true, verificationCode: true };
    return this.parts.keepOwnClient.execute(terms, this.#clientSecret);
  }

  /** The address of the hosted page, and what the callback has to be compared with. Throws ServiceUnavailable. */
  async begin(invitation: string | undefined): Promise<{ readonly redirect: string; readonly login: LoginUnderWay }> {
    try {
      // Each time: the start may have failed to, or the store may have been restored since.
      await this.keepClient();
      const { handoffToken, state, codeVerifier } = await this.#relyingParty().beginLogin({ redirectUri: this.#redirectUri, hostedPage: true });
      const login = { state, codeVerifier, ...(invitation !== undefined && { invitation }) };
      return { redirect: loginPageUrl(this.platform.settings.loginUrl, handoffToken), login };
    } catch (error) {
      throw error instanceof CountersignError ? new ServiceUnavailable(`the login could not begin: ${error.message}`) : error;
    }
  }

  /** A new session for the person who has logged in. The invitation of the login is used first. */
  async finish({ invitation, ...login }: LoginUnderWay, query: Readonly<Record<string, unknown>>): Promise<Session | LoginRefusal> {
    const person = await this.#person(login, query);
    if (person === undefined) return 'login';
    const { portalMembers, portalSessions, portalPhones } = this.parts;
    try {
      if (invitation !== undefined) await portalMembers.join(invitation, person);
    } catch (error) {
      if (error instanceof InvitationNotFound) return 'invitation';
      throw error;
    }
    const memberships = await portalMembers.of(person.identityId);
    if (memberships.length === 0) return 'membership';
    // A phone that was enrolled before the joining, or lately, may be another person's (specification/admin.md#phones-of-members).
    const trusted = await portalPhones.trustedFor(person.identityId, person.deviceId, memberships);
    return trusted.length === 0 ? 'phone' : portalSessions.begin(person.subjectId, person);
  }

  /** Undefined also when the phone was revoked, or the person erased, since the approval. */
  async #person(login: LoginUnderWay, query: Readonly<Record<string, unknown>>): Promise<LoggedIn | undefined> {
    const subjectId = await this.#subject(login, query);
    if (subjectId === undefined) return undefined;
    const { findApprovingDevice, findLivingPerson } = this.parts;
    const deviceId = await findApprovingDevice.execute(String(query['code']));
    const identityId = deviceId && (await findLivingPerson.execute(deviceId));
    return identityId && { subjectId, identityId, deviceId };
  }

  /** The code is redeemed for the challenge of this login, so it is the code of this login. */
  async #subject(login: LoginUnderWay, query: Readonly<Record<string, unknown>>): Promise<SubjectId | undefined> {
    try {
      return (await this.#relyingParty().finishLogin(login, query)).subjectId as SubjectId;
    } catch (error) {
      if (error instanceof CountersignError) return undefined;
      throw error;
    }
  }

  #relyingParty(): RelyingPartyClient {
    const { environment, internalUrl: baseUrl } = this.platform.settings;
    // A guarded environment refuses plain HTTP to another machine at its start. In other environments the network of the services is trusted.
    this.#client ??= new RelyingPartyClient({
      baseUrl,
      clientId: this.#clientId,
      clientSecret: this.#clientSecret.reveal(),
      allowPlainHttp: !isGuarded(environment),
    });
    return this.#client;
  }
}
