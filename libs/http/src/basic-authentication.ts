import type { ClientId } from '#kernel';

import type { onRequestAsyncHookHandler } from 'fastify';

import { parseBasicCredentials } from './basic-credentials.js';
import type { FailureThrottle } from './failure-throttle.js';

/** The client of these credentials, or undefined. Has to do the same work for a known and an unknown id. */
export type AuthenticateClient<Client extends object> = (clientId: ClientId, clientSecret: string) => Promise<Client | undefined>;

/**
 * Requires HTTP Basic on every route that is not marked open, on unknown paths and on every method. A hook, because a Nest guard runs after
 * the body was parsed (specification/conventions.md#client-authentication, specification/conventions.md#rate-limits).
 */
export const basicAuthentication =
  <Client extends object>(authenticate: AuthenticateClient<Client>, throttle: FailureThrottle): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (request.routeOptions.config?.open === true) return;
    const credentials = parseBasicCredentials(request.headers.authorization);
    const client = credentials && (await authenticate(credentials.clientId, credentials.clientSecret));
    if (client) {
      request.principal = client;
      return;
    }
    await throttle.failed(request.ip);
    request.refusal = { status: 401, errorCode: 'unauthorized', reason: credentials ? 'wrong client credentials' : 'no client credentials' };
    // The raw response keeps the case of the header's name.
    reply.raw.setHeader('WWW-Authenticate', 'Basic realm="Realm"');
    return reply.code(401).send();
  };
