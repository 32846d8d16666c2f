import { codePoints, isPlainText, parseId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { grantedOf, type Parameters } from './authorization-request.js';
import type { Granted } from './claims.js';
import { OAuthError } from './oauth-error.js';

/** CIBA Core section 10.1. */
export const CIBA_GRANT = 'urn:openid:params:grant-type:ciba';

/** A request for a login without a browser that keeps the rules (CIBA Core section 7.1). */
export interface BackchannelRequest {
  readonly subjectId: SubjectId;
  /** Shown on the phone. */
  readonly bindingMessage?: string;
  readonly openid: Granted & {
    /** The access token is bound to the key that the client proves at the token endpoint. */
    readonly dpop?: object;
    /** Of a client that is told when the login is decided. */
    readonly notificationToken?: string;
  };
}

/** Code points, as of a title in the native interface. */
const LONGEST_MESSAGE = 255;
const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token'] as const;

/** Checks the parameters of a client's request. `subject`: of the `id_token_hint`, as verified. Throws {@link OAuthError}. */
export const backchannelRequest = (given: Parameters, client: Client, subject?: SubjectId): BackchannelRequest => {
  const asked = grantedOf(given, client);
  if (HINTS.filter((hint) => given[hint] !== undefined).length !== 1) throw invalid('one of login_hint and id_token_hint is required');
  if (given['login_hint_token'] !== undefined) throw invalid('login_hint_token is not supported');
  if (given['requested_expiry'] !== undefined && !/^[1-9]\d{0,8}$/.test(given['requested_expiry']))
    throw invalid('requested_expiry must be a number of seconds');
  const message = given['binding_message'];
  if (message !== undefined && !isShown(message))
    throw new OAuthError('invalid_binding_message', `binding_message must be plain text of 1 to ${LONGEST_MESSAGE} characters`);
  // Nothing but a subject of the client: a personal code or a telephone number would tell who is a customer.
  const subjectId = subject ?? parseId<SubjectId>(given['login_hint']);
  if (!subjectId) throw new OAuthError('unknown_user_id', 'login_hint must be a sub of this client');
  const notificationToken = tokenIn(given, client);
  const openid = {
    ...asked,
    ...(client.dpopBoundAccessTokens && { dpop: {} }),
    ...(notificationToken !== undefined && { notificationToken }),
  };
  return { subjectId, ...(message !== undefined && { bindingMessage: message }), openid };
};

/** RFC 6750 section 2.1, with as many characters as CIBA Core section 7.1 allows. */
const BEARER = /^[A-Za-z0-9\-._~+/]+=*$/;
const LONGEST_TOKEN = 1_024;

/** Only of a client with an address for notifications (mode ping), which then has to bring one. */
const tokenIn = (
  { client_notification_token: token }: Parameters,
  { backchannelClientNotificationEndpoint: address }: Client,
): string | undefined => {
  if (!address) return undefined;
  if (token === undefined || token.length > LONGEST_TOKEN || !BEARER.test(token))
    throw invalid(`client_notification_token is required for this client: a bearer token of at most ${LONGEST_TOKEN} characters`);
  return token;
};

const isShown = (message: string): boolean => message.trim() !== '' && isPlainText(message) && codePoints(message) <= LONGEST_MESSAGE;

const invalid = (description: string): OAuthError => new OAuthError('invalid_request', description);
