import { InvalidRequest } from '#kernel';
import type { Client, RequestedProperties } from '#domain/relying-party';

import type { OpenIdTerms, SessionDocument } from './sealed-terms.js';
import type { SignatureType } from './session.events.js';

/** The parameters of POST session (specification/relying-party.md#post-session). The format of each was checked before. */
export interface SessionRequest {
  readonly redirectUri?: string | undefined;
  readonly state?: string | undefined;
  readonly signatureType: SignatureType;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
  readonly signedDataHash?: string | undefined;
  readonly signedDataName?: string | undefined;
  /** Bytes. */
  readonly signedDataSize?: number | undefined;
  /** Several documents, in place of the three. */
  readonly documents?: readonly SessionDocument[] | undefined;
  readonly title?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly push?: boolean | undefined;
  readonly properties?: string | undefined;
  readonly hostedPage?: boolean | undefined;
  /** The token answer is to carry what proves the login. */
  readonly evidence?: boolean | undefined;
  /** A login without a browser, through OpenID Connect: pushed to the person, and redeemed by the id of the request. */
  readonly backchannel?: boolean | undefined;
  /** Of a request through OpenID Connect, which may come without a code challenge. */
  readonly openid?: OpenIdRequest | undefined;
}

/** What a request through OpenID Connect asks for. */
export type OpenIdRequest = OpenIdTerms & {
  /** The properties that follow from the scopes and claims, all within the client's allow-list. */
  readonly requested?: RequestedProperties;
  /** The access token is bound to a key (RFC 9449): to the one with this thumbprint, where the request names it. */
  readonly dpop?: { readonly jkt?: string };
  /** The token answer is to carry what proves the login. */
  readonly evidence?: true;
};

type Parameter = Exclude<keyof SessionRequest, 'openid' | 'backchannel'>;

interface ParameterRules {
  readonly required: readonly Parameter[];
  /** Parameters of the other signature type, which have no meaning for this one. */
  readonly foreign: readonly Parameter[];
}

/** The parameters of the specification's single document. */
const SINGLE_DOCUMENT = ['signedDataHash', 'signedDataName', 'signedDataSize'] as const;

const RULES: Readonly<Record<SignatureType, ParameterRules>> = {
  AUTHENTICATION: {
    required: ['redirectUri', 'codeChallenge', 'codeChallengeMethod'],
    foreign: [...SINGLE_DOCUMENT, 'documents'],
  },
  SIGNING: {
    required: [],
    foreign: ['codeChallenge', 'codeChallengeMethod', 'properties', 'evidence'],
  },
};

/** It is bound to its browser by a code challenge, a nonce or both (RFC 9700 section 2.1.1). */
const OPENID_RULES: ParameterRules = { ...RULES.AUTHENTICATION, required: ['redirectUri'] };

/** Nobody is sent anywhere, and no code is handed out. */
const BACKCHANNEL_RULES: ParameterRules = {
  required: ['subjectId', 'push'],
  foreign: [...RULES.AUTHENTICATION.foreign, 'redirectUri', 'state', 'codeChallenge', 'codeChallengeMethod', 'hostedPage'],
};

/**
 * Checks the rules between the parameters (specification/relying-party.md#rules-between-the-fields). Throws
 * {@link InvalidRequest} naming the parameter.
 */
export const assertSessionRequest = (request: SessionRequest, client: Client): void => {
  const { required, foreign } = rulesOf(request);
  const missing = required.find((parameter) => request[parameter] === undefined);
  if (missing) throw new InvalidRequest(`${quoted(missing)} is required for ${request.signatureType}`);
  const unexpected = foreign.find((parameter) => request[parameter] !== undefined);
  if (unexpected) throw new InvalidRequest(`${quoted(unexpected)} does not belong to ${request.signatureType}; leave it out`);
  if (request.signatureType === 'SIGNING') assertDocuments(request);
  if (request.backchannel) return;
  assertRedirectUri(request, client);
  if (request.openid && request.codeChallenge === undefined && request.openid.nonce === undefined)
    throw new InvalidRequest(`${quoted('codeChallenge')} or \`nonce\` is required`);
  if (request.push && request.subjectId === undefined) throw new InvalidRequest(`${quoted('push')} needs ${quoted('subjectId')}`);
};

const rulesOf = ({ signatureType, openid, backchannel }: SessionRequest): ParameterRules => {
  if (backchannel) return BACKCHANNEL_RULES;
  return openid ? OPENID_RULES : RULES[signatureType];
};

/** One document by the specification's parameters, or a list. */
const assertDocuments = (request: SessionRequest): void => {
  const { documents, signedDataHash } = request;
  if (!documents) {
    if (signedDataHash === undefined) throw new InvalidRequest(`${quoted('signedDataHash')} or ${quoted('documents')} is required for SIGNING`);
    return;
  }
  const single = SINGLE_DOCUMENT.find((parameter) => request[parameter] !== undefined);
  if (single) throw new InvalidRequest(`${quoted('documents')} stands in place of ${quoted(single)}; leave one of them out`);
};

const assertRedirectUri = ({ signatureType, redirectUri, hostedPage }: SessionRequest, client: Client): void => {
  if (signatureType === 'SIGNING' && !hostedPage) {
    if (redirectUri !== undefined)
      throw new InvalidRequest(`${quoted('redirectUri')} belongs to SIGNING only with ${quoted('hostedPage')}; leave it out`);
    return;
  }
  if (redirectUri === undefined) throw new InvalidRequest(`${quoted('redirectUri')} is required with ${quoted('hostedPage')}`);
  if (!client.redirectUris.includes(redirectUri)) {
    throw new InvalidRequest(`${quoted('redirectUri')} is not registered for this client; it must match a registered URI exactly`);
  }
};

/** The parameter by the name that the client sent, for the message to the client. */
const quoted = (parameter: Parameter): string => `\`${parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}\``;
