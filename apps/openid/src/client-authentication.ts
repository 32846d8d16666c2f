import { isUtf8 } from 'node:buffer';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf, type FailureThrottle } from '#service/http';
import { type ClientId, fromBase64, parseId, sha256 } from '#kernel';
import { ASSERTION_TYPE, OAuthError } from '#domain/openid';
import { beyondLimit } from '#engines/rate-limit';

import { formOf } from './form-of.js';
import { ClientRefused } from './client-refused.js';

interface Credentials {
  /** Undefined where the text is no id. */
  readonly clientId: ClientId | undefined;
  readonly secret: string;
}

interface Secrets {
  /** The client with this id and the secret of this SHA-256. */
  execute(clientId: ClientId, secretHash: Buffer): Promise<object | undefined>;
  /** The same without a promise. Undefined also where {@link execute} has to tell. */
  recent(clientId: ClientId, secretHash: Buffer): object | undefined;
}

interface Clients {
  readonly secrets: Secrets;
  /** The client that has signed the assertion. */
  readonly assertions: { execute(assertion: string): Promise<object | undefined> };
}

/**
 * Requires a client on every route that is not open, by `client_secret_basic` before the body is read, or in the body by `client_secret_post` (RFC 6749 section 2.3.1) or by
 * `private_key_jwt` (RFC 7523 section 2.2).
 * Right credentials are judged before anything is counted.
 */
export const authenticateClients = (fastify: FastifyInstance, clients: Clients, throttle: FailureThrottle): void => {
  const admit = async (request: FastifyRequest, client: object | undefined, reason: string, scheme?: 'Basic'): Promise<void> => {
    if (!client) throw new ClientRefused(reason, scheme, (await beyondLimit(throttle.failed(callerOf(request))))?.retryAfter);
    request.principal = client;
  };
  const judge = async (request: FastifyRequest, credentials: Credentials | undefined, scheme?: 'Basic'): Promise<void> => {
    const client = credentials?.clientId && (await known(clients.secrets, credentials.clientId, credentials.secret));
    await admit(request, client, credentials ? 'wrong client credentials' : 'no client credentials', scheme);
  };

  fastify.addHook('onRequest', async (request) => {
    const { authorization } = request.headers;
    if (isOpen(request) || authorization === undefined) return;
    await judge(request, basicCredentials(authorization), 'Basic');
  });

  fastify.addHook('preValidation', async (request) => {
    if (isOpen(request)) return;
    const { client_id: id, client_secret: secret, ...form } = formOf(request) as Partial<Record<string, string>>;
    const { client_assertion: assertion, client_assertion_type: type } = form;
    const ways = [request.principal, secret, assertion].filter((way) => way !== undefined);
    if (ways.length > 1) throw new OAuthError('invalid_request', 'use one way of client authentication');
    if (assertion !== undefined) {
      if (type !== ASSERTION_TYPE) throw new OAuthError('invalid_request', 'client_assertion_type must be that of RFC 7523');
      await admit(request, await clients.assertions.execute(assertion), 'wrong client assertion');
    } else if (request.principal === undefined) {
      return judge(request, id === undefined || secret === undefined ? undefined : credentialsOf(id, secret));
    }
    const { clientId } = request.principal as { readonly clientId: ClientId };
    if (id !== undefined && parseId(id) !== clientId)
      throw new OAuthError('invalid_request', 'client_id is another one than that of the credentials');
  });
};

const isOpen = ({ is404, routeOptions }: FastifyRequest): boolean => is404 || routeOptions.config.open === true;

const known = async (clients: Secrets, clientId: ClientId, secret: string) => {
  const secretHash = sha256(secret);
  return clients.recent(clientId, secretHash) ?? (await clients.execute(clientId, secretHash));
};

const credentialsOf = (id: string, secret: string): Credentials => ({ clientId: parseId<ClientId>(id), secret });

/** RFC 6749 section 2.3.1: id and secret are each encoded as in a form, then joined and encoded in base64. */
export const basicCredentials = (header: string): Credentials | undefined => {
  const encoded = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (!bytes || !isUtf8(bytes)) return undefined;
  const pair = bytes.toString();
  const colon = pair.indexOf(':');
  const [id, secret] = [decoded(pair.slice(0, Math.max(colon, 0))), decoded(pair.slice(colon + 1))];
  return colon < 0 || id === undefined || secret === undefined ? undefined : credentialsOf(id, secret);
};

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};
