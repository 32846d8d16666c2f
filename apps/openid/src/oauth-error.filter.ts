import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type HttpRefusal, refusalOf } from '#service/http';
import { NoRelyingParty, OAuthError } from '#domain/openid';
import { FAPI_ALGORITHMS } from '#domain/relying-party';
import { InvalidAccessToken } from '#domain/session';

import { ClientRefused } from './client-refused.js';
import { DpopRefused } from './dpop-refused.js';
import { NoAccessToken } from './no-access-token.js';
import { refusalHeaders, refusalPage } from './refusal-page.js';

/** The one endpoint that a person opens. */
const AUTHORIZE_PATH = '/openid/authorize';

/** RFC 6749 section 5.2. */
interface OAuthBody {
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** Turns every error into the form of OAuth. A person who opens a login gets a page where no answer goes to a relying party. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  /** `baseUrl`: {base_url}. */
  constructor(private readonly baseUrl: string) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.sent) return;
    const { refusal, body } = answerTo(error);
    if (!isOutcome(error)) reply.request.refusal = refusal;
    // As for every refused body: the rest of it is read after the answer.
    void reply
      .removeHeader('connection')
      .code(refusal.status)
      .headers(refusal.headers ?? {});
    const page = pageFor(reply.request, error, refusal, body);
    if (page === undefined) void reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    else void reply.headers(refusalHeaders(this.baseUrl)).type('text/html; charset=utf-8').send(page);
  }
}

/** Undefined for the answer to a program. A browser that opens a page accepts `text/html`. Java's own HTTP client accepts it everywhere, so the other endpoints do not look at it. */
const pageFor = (
  { headers, routeOptions }: FastifyRequest,
  error: unknown,
  { status }: HttpRefusal,
  { error: code }: OAuthBody,
): string | undefined => {
  const language = headers['accept-language'];
  if (error instanceof NoRelyingParty) return refusalPage('wrong', language, error.reason);
  const isPerson = routeOptions.url === AUTHORIZE_PATH && headers.accept?.includes('text/html') === true;
  return isPerson && (status === 429 || status >= 500) ? refusalPage('later', language, code) : undefined;
};

/** What a login has come to so far, which its client asks again and again: no request is at fault. */
const OUTCOMES: ReadonlySet<string> = new Set(['authorization_pending', 'access_denied', 'expired_token']);

const isOutcome = (error: unknown): boolean => error instanceof OAuthError && OUTCOMES.has(error.code);

const answerTo = (error: unknown): { readonly refusal: HttpRefusal; readonly body: OAuthBody } => {
  if (error instanceof ClientRefused) return ofClient(error);
  if (error instanceof OAuthError) {
    const errorCode = error.code === 'invalid_scope' ? error.code : 'invalid_request';
    return { refusal: { status: 400, errorCode, reason: error.reason }, body: { error: error.code, error_description: error.description } };
  }
  if (error instanceof DpopRefused) {
    const headers = { 'WWW-Authenticate': `DPoP error="${error.code}", algs="${FAPI_ALGORITHMS.join(' ')}"` };
    return { refusal: { status: 401, errorCode: 'unauthorized', reason: error.reason, headers }, body: { error: error.code } };
  }
  if (error instanceof InvalidAccessToken) {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return { refusal: { status: 401, errorCode: 'unauthorized', reason: error.reason, headers }, body: { error: error.code } };
  }
  const refusal = refusalOf(error);
  const headers = error instanceof NoAccessToken ? { 'WWW-Authenticate': 'Bearer' } : refusal.headers;
  return {
    refusal: { ...refusal, ...(headers && { headers }) },
    body: { error: CODES[refusal.errorCode] ?? 'invalid_request', error_description: descriptionOf(refusal) },
  };
};

const ofClient = ({ code, reason, scheme, retryAfter }: ClientRefused): { readonly refusal: HttpRefusal; readonly body: OAuthBody } => {
  const headers = {
    ...(scheme && { 'WWW-Authenticate': `${scheme} realm="openid"` }),
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
  };
  return { refusal: { status: 401, errorCode: retryAfter === undefined ? 'unauthorized' : 'rate_limited', reason, headers }, body: { error: code } };
};

/** The codes of refusals that do not come from the protocol. */
const CODES: Partial<Record<HttpRefusal['errorCode'], string>> = {
  invalid_grant: 'invalid_grant',
  invalid_scope: 'invalid_scope',
  unauthorized: 'invalid_token',
  rate_limited: 'temporarily_unavailable',
  service_unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
  not_found: 'not_found',
};

/** RFC 6749 section 5.2: ASCII without `"` and `\\`. */
const descriptionOf = ({ detail }: HttpRefusal): string | undefined => detail?.replaceAll(/[^\x20-\x7e]|["\\]/g, "'");
