import { InvalidRequest } from '#kernel';
import type { Client } from '#relying-party';

/** POST session, by the names of the wire (specification, "POST session"). Formats were checked at the door. */
export interface SessionRequest {
  readonly redirect_uri?: string;
  readonly state?: string;
  readonly signature_type: 'AUTHENTICATION' | 'SIGNING';
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

/** The rules that hold between the fields of an AUTHENTICATION session. Throws {@link InvalidRequest} naming the field. */
export const assertAuthenticationTerms = (request: SessionRequest, client: Client): void => {
  if (request.signature_type !== 'AUTHENTICATION') {
    throw new InvalidRequest('`signature_type` SIGNING is not offered yet; send AUTHENTICATION');
  }
  for (const field of ['redirect_uri', 'code_challenge', 'code_challenge_method'] as const) {
    if (request[field] === undefined) throw new InvalidRequest(`\`${field}\` is required for AUTHENTICATION`);
  }
  for (const field of ['signed_data_hash', 'signed_data_name'] as const) {
    if (request[field] !== undefined) throw new InvalidRequest(`\`${field}\` belongs to SIGNING; leave it out`);
  }
  if (!client.redirectUris.includes(request.redirect_uri ?? '')) {
    throw new InvalidRequest('`redirect_uri` is not registered for this client; it must match a registered URI exactly');
  }
  if (request.push && request.subject_id === undefined) throw new InvalidRequest('`push` needs `subject_id`');
};
