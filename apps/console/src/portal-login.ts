import { InvitationNotFound, portalClientId, type PortalMembers, type PortalSessions } from '#administration';
import { isGuarded } from '#config';
import { hmac, Secret, ServiceUnavailable, type SubjectId } from '#kernel';
import type { Platform } from '#platform';
import { CountersignError, loginPageUrl, RelyingPartyClient } from '#relying-party-client';
import type { KeepOwnClient } from '#relying-party';

import type { LoginUnderWay } from './portal-cookies.js';

/** Why a login led to no session. The page has a text for each. */
export type Refusal = 'login' | 'invitation' | 'membership';

type Session = Awaited<ReturnType<PortalSessions['begin']>>;

const NAME = 'Countersign portal';

/** The logins to the portal: as those of every relying party, over the hosted page, with the SDK. */
export class PortalLogin {
  readonly #redirectUri: string;
  #client: Promise<RelyingPartyClient> | undefined;

  constructor(
    private readonly platform: Pick<Platform, 'settings' | 'keys'>,
    private readonly keepOwnClient: KeepOwnClient,
    private readonly administration: { readonly portalMembers: PortalMembers; readonly portalSessions: PortalSessions },
  ) {
    this.#redirectUri = `${new URL(platform.settings.portalUrl).origin}/portal/v1/callback`;
  }

  /** The address of the hosted page, and what the callback has to be compared with. Throws ServiceUnavailable. */
  async begin(invitation: string | undefined): Promise<{ readonly redirect: string; readonly login: LoginUnderWay }> {
    try {
      const client = await this.#relyingParty();
      const { handoffToken = '', state, codeVerifier } = await client.beginLogin({ redirectUri: this.#redirectUri, hostedPage: true });
      const login = { state, codeVerifier, ...(invitation !== undefined && { invitation }) };
      return { redirect: loginPageUrl(this.platform.settings.loginUrl, handoffToken), login };
    } catch (error) {
      throw error instanceof CountersignError ? new ServiceUnavailable(`the login could not begin: ${error.message}`) : error;
    }
  }

  /** A new session for the person who has logged in. The invitation of the login is used first. */
  async finish({ invitation, ...login }: LoginUnderWay, query: Readonly<Record<string, unknown>>): Promise<Session | Refusal> {
    const subjectId = await this.#subject(login, query);
    if (subjectId === undefined) return 'login';
    const { portalMembers, portalSessions } = this.administration;
    try {
      if (invitation !== undefined) await portalMembers.join(invitation, subjectId);
    } catch (error) {
      if (error instanceof InvitationNotFound) return 'invitation';
      throw error;
    }
    if ((await portalMembers.of(subjectId)).length === 0) return 'membership';
    return portalSessions.begin(subjectId);
  }

  async #subject(login: LoginUnderWay, query: Readonly<Record<string, unknown>>): Promise<SubjectId | undefined> {
    try {
      return (await (await this.#relyingParty()).finishLogin(login, query)).subjectId as SubjectId;
    } catch (error) {
      if (error instanceof CountersignError) return undefined;
      throw error;
    }
  }

  /** The portal's own client, registered with the first login. */
  #relyingParty(): Promise<RelyingPartyClient> {
    this.#client ??= this.#register().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #register(): Promise<RelyingPartyClient> {
    const { keys, settings } = this.platform;
    const clientId = portalClientId(keys.index, settings.environment);
    const clientSecret = hmac(keys.index.key.reveal(), 'portal-client-secret', settings.environment).toString('base64url');
    const terms = { name: NAME, redirectUris: [this.#redirectUri], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
    await this.keepOwnClient.execute(clientId, terms, new Secret(clientSecret));
    // A guarded environment refuses plain HTTP to another machine at its start. In other environments the network of the services is trusted.
    return new RelyingPartyClient({ baseUrl: settings.internalUrl, clientId, clientSecret, allowPlainHttp: !isGuarded(settings.environment) });
  }
}
