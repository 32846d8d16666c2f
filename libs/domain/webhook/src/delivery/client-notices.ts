import type { ClientId, SessionId } from '#kernel';

import type { WebhookMessage } from '../domain/delivery.events.js';
import type { PostRequest } from './guarded-post.js';

/** What a notice says to its client. It is made anew for each attempt, so that no log and no queue holds a token. */
export abstract class ClientNotices {
  /** Whether the client is to be told that this login is decided. May be asked again for the same login. */
  abstract isAwaited(clientId: ClientId, sessionId: SessionId): Promise<boolean>;

  /** The request of one attempt. Undefined where the client gets none any more: it is disabled or deleted, has no such address, or the login is over. */
  abstract requestOf(clientId: ClientId, message: WebhookMessage): Promise<Omit<PostRequest, 'signal'> | undefined>;
}
