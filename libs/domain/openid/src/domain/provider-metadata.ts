import { FAPI_ALGORITHMS, ID_TOKEN_ALGORITHMS } from '#domain/relying-party';

import { CLAIMS_SUPPORTED, SCOPES_SUPPORTED } from './claims.js';
import { CIBA_GRANT } from './backchannel-request.js';

/** What a phone with a key in software and a PIN is. The service is not told of hardware that holds a key, so it claims none. */
export const ACR = 'urn:countersign:acr:phone-and-pin';

/** RFC 8176. */
export const AMR = ['pin', 'swk', 'mfa'] as const;

/** OpenID Connect Discovery section 3, RFC 8414, RFC 9101, RFC 9126, RFC 9207, RFC 9449, CIBA Core section 4. The same for every client. */
export const providerMetadata = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  pushed_authorization_request_endpoint: `${issuer}/par`,
  backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
  backchannel_token_delivery_modes_supported: ['poll', 'ping'],
  backchannel_user_code_parameter_supported: false,
  backchannel_authentication_request_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  // There is no session of the provider, so no `sid` (Back-Channel Logout 1.0 section 2.1).
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: false,
  scopes_supported: SCOPES_SUPPORTED,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', CIBA_GRANT],
  acr_values_supported: [ACR],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  dpop_signing_alg_values_supported: FAPI_ALGORITHMS,
  // At the endpoints that clients call themselves (RFC 9126 section 3); a browser brings no request object.
  request_object_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  require_signed_request_object: false,
  code_challenge_methods_supported: ['S256'],
  claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', ...CLAIMS_SUPPORTED],
  claim_types_supported: ['normal'],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
});
