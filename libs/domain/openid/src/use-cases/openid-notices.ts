import type { ClientId, IdentityId, SessionId, SubjectId } from '#kernel';
import type { Client, FindClient } from '#domain/relying-party';
import type { FindBackchannelPing } from '#domain/session';
import { ClientNotices, type WebhookMessage } from '#domain/webhook';

import type { LogoutTokens } from '../keys/logout-tokens.js';

type Request = NonNullable<Awaited<ReturnType<ClientNotices['requestOf']>>>;

export interface OpenIdNoticesParts {
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly findBackchannelPing: Pick<FindBackchannelPing, 'execute'>;
  readonly logoutTokens: Pick<LogoutTokens, 'make'>;
  /** What the client calls the person now, also a person who is erased. */
  readonly subjectOf: (clientId: ClientId, identityId: IdentityId) => SubjectId;
}

const USER_AGENT = 'Countersign-OpenID/1';

/** The notices of OpenID Connect: the ping of a login without a browser (CIBA Core section 10.2), and the logout token of a person who is erased (Back-Channel Logout 1.0 section 2.5). */
export class OpenIdNotices extends ClientNotices {
  constructor(private readonly parts: OpenIdNoticesParts) {
    super();
  }

  override async isAwaited(clientId: ClientId, sessionId: SessionId): Promise<boolean> {
    // Most clients have no such address, and their sessions are not read.
    const client = await this.#client(clientId);
    return (
      Boolean(client?.backchannelClientNotificationEndpoint) && (await this.parts.findBackchannelPing.execute(sessionId, clientId)) !== undefined
    );
  }

  override async requestOf(clientId: ClientId, { type, data }: WebhookMessage): Promise<Request | undefined> {
    const client = await this.#client(clientId);
    if (!client) return undefined;
    const { sessionId, identityId } = data;
    if (type === 'openid.logout') return identityId === undefined ? undefined : this.#logout(client, identityId as IdentityId);
    return sessionId === undefined ? undefined : this.#ping(client, sessionId as SessionId);
  }

  async #ping({ clientId, backchannelClientNotificationEndpoint: url }: Client, sessionId: SessionId): Promise<Request | undefined> {
    const ping = url ? await this.parts.findBackchannelPing.execute(sessionId, clientId) : undefined;
    if (!url || !ping) return undefined;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ping.token}`, 'user-agent': USER_AGENT };
    return { url, headers, body: JSON.stringify({ auth_req_id: ping.authReqId }) };
  }

  async #logout(client: Client, identityId: IdentityId): Promise<Request | undefined> {
    const { logoutTokens, subjectOf } = this.parts;
    const url = client.backchannelLogoutUri;
    const token = url ? await logoutTokens.make(client, subjectOf(client.clientId, identityId)) : undefined;
    if (!url || token === undefined) return undefined;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': USER_AGENT };
    return { url, headers, body: new URLSearchParams({ logout_token: token }).toString() };
  }

  async #client(clientId: ClientId): Promise<Client | undefined> {
    const client = await this.parts.findClient.execute(clientId);
    return client?.enabled ? client : undefined;
  }
}
