import type { Socket } from 'node:net';

import { beyondLimit } from '#engines/rate-limit';
import { type ClientId, sha256 } from '#kernel';

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';

import { parseBasicCredentials } from './basic-credentials.js';
import { callerOf } from './client-network.js';
import type { FailureThrottle } from './failure-throttle.js';
import { type HttpRefusal, refusalOf } from './refusal.js';

/** Judges credentials. Both calls answer the client, or undefined. */
export interface ClientAuthentication<Client extends object> {
  /** Has to do the same work for a known and an unknown id. `secretHash`: SHA-256 of the secret. */
  execute(clientId: ClientId, secretHash: Buffer): Promise<Client | undefined>;
  /** The same without a promise. Undefined also where only {@link execute} can tell. */
  recent(clientId: ClientId, secretHash: Buffer): Client | undefined;
  /** Judges a token of the scheme Bearer, by which a client proves itself in place of its secret. Absent: that scheme is refused. */
  byAssertion?(assertion: string): Promise<Client | undefined>;
  /** Whether the client of an assertion that was accepted may still act: it is enabled, and the key is still one of its keys. */
  stillStands?(assertion: string): Promise<boolean>;
}

interface Credentials {
  readonly clientId: ClientId;
  readonly secretHash: Buffer;
}

const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;

/**
 * Requires HTTP Basic, or an assertion where the clients have such, on every route that is not marked open, on unknown paths and on every method. A hook, because a Nest guard runs after
 * the body was parsed (specification/conventions.md#client-authentication). A failure stays the same 401 whatever its number; beyond the limit of the throttle
 * it carries `Retry-After` (specification/conventions.md#rate-limits). Right credentials are judged before anything is counted.
 */
export const basicAuthentication = <Client extends object>(
  clients: ClientAuthentication<Client>,
  throttle: FailureThrottle,
): onRequestHookHandler => {
  /** Answers whether the request goes on. Else it is answered, perhaps later: hooks may hold the answer. */
  const judge = async (request: FastifyRequest, reply: FastifyReply, credentials: Credentials | undefined): Promise<boolean> => {
    const assertion = credentials || !clients.byAssertion ? undefined : BEARER.exec(request.headers.authorization ?? '')?.[1];
    const client = credentials
      ? await clients.execute(credentials.clientId, credentials.secretHash)
      : assertion && (await clients.byAssertion?.(assertion));
    if (client) {
      request.principal = client;
      if (assertion && isHeld(request)) request.stands = async () => (await clients.stillStands?.(assertion)) === true;
      return true;
    }
    request.refusal = await refuse(throttle, request, credentials || assertion ? 'wrong client credentials' : 'no client credentials');
    // The raw response keeps the case of the header's name.
    reply.raw.setHeader('WWW-Authenticate', 'Basic realm="Realm"');
    reply
      .code(401)
      .headers(request.refusal.headers ?? {})
      .send();
    return false;
  };
  return (request, reply, done) => {
    if (request.routeOptions.config?.open === true) {
      done();
      return;
    }
    const credentials = credentialsOf(request);
    if (credentials && isHeld(request)) {
      request.stands = async () => (await clients.execute(credentials.clientId, credentials.secretHash)) !== undefined;
    }
    const client = credentials && clients.recent(credentials.clientId, credentials.secretHash);
    if (client) {
      request.principal = client;
      done();
      return;
    }
    judge(request, reply, credentials).then((goesOn) => {
      if (goesOn) done();
    }, done);
  };
};

/** Counts the failure. Beyond the limit the log and the metrics get `rate_limited`, as for every other caller that is refused too often. */
const refuse = async (throttle: FailureThrottle, request: FastifyRequest, reason: string): Promise<HttpRefusal> => {
  const limited = await beyondLimit(throttle.failed(callerOf(request)));
  if (!limited) return { status: 401, errorCode: 'unauthorized', reason };
  const { 'Retry-After': retryAfter } = refusalOf(limited).headers ?? {};
  return { status: 401, errorCode: 'rate_limited', reason: limited.reason, headers: { 'Retry-After': String(retryAfter) } };
};

const isHeld = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config?.held === true;

interface Given {
  readonly header: string;
  readonly credentials: Credentials;
}

/** What the last request of a connection has given. Most callers send the same header again and again: it is parsed, and the secret hashed, once. */
const given = new WeakMap<Socket, Given>();

const credentialsOf = ({ headers: { authorization: header }, raw: { socket } }: FastifyRequest): Credentials | undefined => {
  const known = given.get(socket);
  if (known && known.header === header) return known.credentials;
  const parsed = parseBasicCredentials(header);
  if (header === undefined || !parsed) return undefined;
  const credentials = { clientId: parsed.clientId, secretHash: sha256(parsed.clientSecret) };
  given.set(socket, { header, credentials });
  return credentials;
};
