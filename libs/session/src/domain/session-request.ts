import { InvalidRequest } from '#kernel';
import type { Client } from '#relying-party';

import type { SignatureType } from './session.events.js';

/** POST session, by the names of the wire (specification, "POST session"). Formats were checked at the door. */
export interface SessionRequest {
  readonly redirect_uri?: string;
  readonly state?: string;
  readonly signature_type: SignatureType;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly signed_data_hash?: string;
  readonly signed_data_name?: string;
  readonly title?: string;
  readonly subject_id?: string;
  readonly push?: boolean;
  readonly properties?: string;
  readonly hosted_page?: boolean;
}

type Field = keyof SessionRequest;

interface FieldRules {
  readonly required: readonly Field[];
  /** Fields of the other type, which would mean nothing here. */
  readonly foreign: readonly Field[];
}

const RULES: Readonly<Record<SignatureType, FieldRules>> = {
  AUTHENTICATION: {
    required: ['redirect_uri', 'code_challenge', 'code_challenge_method'],
    foreign: ['signed_data_hash', 'signed_data_name'],
  },
  SIGNING: {
    required: ['signed_data_hash'],
    foreign: ['code_challenge', 'code_challenge_method', 'properties'],
  },
};

/**
 * The rules that hold between the fields (specification, "POST session"; api-extensions 1.7). Throws
 * {@link InvalidRequest} naming the field.
 */
export const assertSessionRequest = (request: SessionRequest, client: Client): void => {
  const { required, foreign } = RULES[request.signature_type];
  const missing = required.find((field) => request[field] === undefined);
  if (missing) throw new InvalidRequest(`\`${missing}\` is required for ${request.signature_type}`);
  const strange = foreign.find((field) => request[field] !== undefined);
  if (strange) throw new InvalidRequest(`\`${strange}\` does not belong to ${request.signature_type}; leave it out`);
  assertRedirectUri(request, client);
  if (request.push && request.subject_id === undefined) throw new InvalidRequest('`push` needs `subject_id`');
};

const assertRedirectUri = ({ signature_type, redirect_uri, hosted_page }: SessionRequest, client: Client): void => {
  if (signature_type === 'SIGNING' && !hosted_page) {
    if (redirect_uri !== undefined) throw new InvalidRequest('`redirect_uri` belongs to SIGNING only with `hosted_page`; leave it out');
    return;
  }
  if (redirect_uri === undefined) throw new InvalidRequest('`redirect_uri` is required with `hosted_page`');
  if (!client.redirectUris.includes(redirect_uri)) {
    throw new InvalidRequest('`redirect_uri` is not registered for this client; it must match a registered URI exactly');
  }
};
