import type { SubjectId } from '#kernel';
import type { Client, RequestedProperties } from '#domain/relying-party';

import type { OpenIdTerms, SealedTerms } from './sealed-terms.js';
import type { PushStatus, SessionTerms } from './session.events.js';
import type { SessionRequest } from './session-request.js';

/** What the request of a session itself does not say. */
export interface TermsInput {
  readonly request: SessionRequest;
  readonly client: Client;
  readonly subjectId: SubjectId | undefined;
  readonly pushStatus: PushStatus;
  readonly requested: RequestedProperties | undefined;
  readonly times: Pick<SessionTerms, 'expiresAt' | 'handoffExpiresAt'>;
  /** {@link textsOf}, sealed. */
  readonly sealed: string;
}

/** The terms of the session that the client's request begins. */
export const termsOf = ({ request, client, subjectId, pushStatus, requested, times, sealed }: TermsInput): SessionTerms => ({
  clientId: client.clientId,
  signatureType: request.signatureType,
  ...(request.redirectUri !== undefined && { redirectUri: request.redirectUri }),
  ...(request.codeChallenge !== undefined && { codeChallenge: request.codeChallenge }),
  ...(subjectId && { subjectId }),
  pushStatus,
  ...(requested && { requested }),
  ...(client.dynamicQr && { dynamicQr: true as const }),
  ...(pushStatus === 'DISPATCHED' && (request.hostedPage || client.verificationCode) && { verificationCode: true as const }),
  ...(isFinishedByNumber(request, client) && { finishByNumber: true as const }),
  ...(request.openid && { issuer: true as const }),
  ...(request.openid?.dpop && { dpop: request.openid.dpop }),
  ...(request.backchannel && { backchannel: true as const }),
  ...((request.evidence || request.openid?.evidence) && { evidence: true as const }),
  ...times,
  sealed,
});

/** specification/relying-party.md#post-session */
const DEFAULT_DATA_NAME = 'detached-file';

/** The client's own texts. */
export const textsOf = (request: SessionRequest): SealedTerms => {
  const { state, title, signedDataHash: hash, signedDataName = DEFAULT_DATA_NAME, signedDataSize, documents, openid } = request;
  return {
    ...(title !== undefined && { title }),
    ...(state !== undefined && { state }),
    ...(hash !== undefined && { signedDataHash: hash.toLowerCase(), signedDataName, ...(signedDataSize !== undefined && { signedDataSize }) }),
    ...(documents && { documents: documents.map((document) => ({ ...document, hash: document.hash.toLowerCase() })) }),
    ...(openid && { openid: openIdTermsOf(openid) }),
  };
};

const openIdTermsOf = ({ scope, nonce, notificationToken }: OpenIdTerms): OpenIdTerms => ({
  scope,
  ...(nonce !== undefined && { nonce }),
  ...(notificationToken !== undefined && { notificationToken }),
});

/** Only a login on the hosted page, and never beside codes that change each second: a number would undo what they are for. */
const isFinishedByNumber = ({ signatureType, hostedPage }: SessionRequest, client: Client): boolean =>
  client.finishByNumber === true && !client.dynamicQr && hostedPage === true && signatureType === 'AUTHENTICATION';
