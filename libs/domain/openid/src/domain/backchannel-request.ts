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
  return {
    subjectId,
    ...(message !== undefined && { bindingMessage: message }),
    openid: { ...asked, ...(client.dpopBoundAccessTokens && { dpop: {} }) },
  };
};

const isShown = (message: string): boolean => message.trim() !== '' && isPlainText(message) && codePoints(message) <= LONGEST_MESSAGE;

const invalid = (description: string): OAuthError => new OAuthError('invalid_request', description);
