import type { ClientId, SessionId } from '#kernel';
import type { Client, FindClient } from '#domain/relying-party';
import type { FindPing } from '#domain/session';
import { ClientNotices, type WebhookMessage } from '#domain/webhook';

type Request = NonNullable<Awaited<ReturnType<ClientNotices['requestOf']>>>;

/** The notices of OpenID Connect: the ping of a login without a browser (CIBA Core section 10.2). */
export class OpenIdNotices extends ClientNotices {
  constructor(
    private readonly findClient: Pick<FindClient, 'execute'>,
    private readonly findPing: Pick<FindPing, 'execute'>,
  ) {
    super();
  }

  override async isAwaited(clientId: ClientId, sessionId: SessionId): Promise<boolean> {
    // Most clients have no such address, and their sessions are not read.
    return (
      Boolean((await this.#client(clientId))?.backchannelClientNotificationEndpoint) &&
      (await this.findPing.execute(sessionId, clientId)) !== undefined
    );
  }

  override async requestOf(clientId: ClientId, { data }: WebhookMessage): Promise<Request | undefined> {
    const url = (await this.#client(clientId))?.backchannelClientNotificationEndpoint;
    const ping = url && data.sessionId !== undefined ? await this.findPing.execute(data.sessionId as SessionId, clientId) : undefined;
    if (!url || !ping) return undefined;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${ping.token}`, 'user-agent': 'Countersign-OpenID/1' };
    return { url, headers, body: JSON.stringify({ auth_req_id: ping.authReqId }) };
  }

  async #client(clientId: ClientId): Promise<Client | undefined> {
    const client = await this.findClient.execute(clientId);
    return client?.enabled ? client : undefined;
  }
}
