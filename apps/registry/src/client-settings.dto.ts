import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsObject, IsString } from 'class-validator';

import {
  ALLOWABLE_PREDICATE,
  ATTRIBUTE_NAMES,
  CLIENT_LIMITS,
  clientKeysIn,
  type ClientTerms,
  ID_TOKEN_ALGORITHMS,
  type IdTokenAlgorithm,
  LONGEST_REDIRECT_URI,
} from '#domain/relying-party';
import { LONGEST_WEBHOOK_URL, type ReachableNetworks, webhookUrlFault } from '#domain/webhook';
import { InvalidRequest } from '#kernel';
import { Optional } from '#service/http';

import { StringList } from './string-list.js';

/** What `libs/domain/relying-party` checks, in the document. */
export const NAME = { minLength: CLIENT_LIMITS.shortestName, maxLength: CLIENT_LIMITS.longestName };
const LIST = { type: 'array', maxItems: CLIENT_LIMITS.entries, uniqueItems: true } as const;
export const URIS = { ...LIST, items: { type: 'string', maxLength: LONGEST_REDIRECT_URI, pattern: '^https?://' } };
const ATTRIBUTES = { ...LIST, items: { type: 'string', enum: [...ATTRIBUTE_NAMES] as string[] } };
const PREDICATES = { ...LIST, items: { type: 'string', pattern: ALLOWABLE_PREDICATE.source } };

/** The settings of a client that are the same at its registration and at a change. `libs/domain/relying-party` checks the values. */
export class ClientSettingsDto {
  /** The attributes that a session of the client may ask for. Absent at the registration: none. */
  @ApiPropertyOptional(ATTRIBUTES)
  @Optional()
  @StringList()
  readonly allowed_attributes?: string[];

  /** `ageOver18`, `countryIsEE`, …; `ageOver*` permits every age. Absent at the registration: none. */
  @ApiPropertyOptional(PREDICATES)
  @Optional()
  @StringList()
  readonly allowed_predicates?: string[];

  /** A QR code that changes each second. */
  @Optional()
  @IsBoolean()
  readonly dynamic_qr?: boolean;

  /** Pushed sessions on the client's own page have a code that the person chooses on the phone. */
  @Optional()
  @IsBoolean()
  readonly verification_code?: boolean;

  /** A hosted login that was opened by a link may be finished by six digits that the phone shows. Not together with `dynamic_qr`. */
  @Optional()
  @IsBoolean()
  readonly finish_by_number?: boolean;

  /** OpenID Connect, RFC 9126: a browser cannot bring the request of a login by itself; the client pushes it. Absent at the registration: true. */
  @Optional()
  @IsBoolean()
  readonly require_pushed_authorization_requests?: boolean;

  /** OpenID Connect: each request has a code challenge of RFC 7636; else a nonce will do. Absent at the registration: true. */
  @Optional()
  @IsBoolean()
  readonly require_pkce?: boolean;

  /** OpenID Connect, RFC 9449: each access token is bound to a key that the client proves by the header `DPoP`. Absent at the registration: false. */
  @Optional()
  @IsBoolean()
  readonly dpop_bound_access_tokens?: boolean;

  /** OpenID Connect, RFC 9101: the client signs each request, and keeps to the FAPI 2.0 Security Profile. Absent at the registration: false. */
  @Optional()
  @IsBoolean()
  readonly require_signed_request_object?: boolean;

  /** OpenID Connect: the algorithm of the client's ID tokens. Absent at the registration: RS256. */
  @Optional()
  @IsIn(ID_TOKEN_ALGORITHMS)
  readonly id_token_signed_response_alg?: IdTokenAlgorithm;

  /** OpenID Connect, `private_key_jwt`: a JWK Set (RFC 7517) of at most 10 public keys with a `kid`, RSA of 2048 to 4096 bits or P-256. They prove the client in place of its secret. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { keys: [] } })
  @Optional()
  @IsObject()
  readonly jwks?: object;

  /** OpenID Connect: the address at which the client publishes such a set, in place of `jwks`: https, under a public name, on port 443 or 8443. Empty: none. */
  @ApiPropertyOptional({ maxLength: LONGEST_WEBHOOK_URL })
  @Optional()
  @IsString()
  readonly jwks_uri?: string;

  /** OpenID Connect CIBA, mode ping: the address that is told when a login without a browser is decided. The rules of webhook endpoints hold. Empty: none. */
  @ApiPropertyOptional({ maxLength: LONGEST_WEBHOOK_URL, example: 'https://rp.example/ciba' })
  @Optional()
  @IsString()
  readonly backchannel_client_notification_endpoint?: string;

  /** OpenID Connect Back-Channel Logout: the address that gets a logout token when a person is erased, or logs out on the phone. The rules of webhook endpoints hold. Empty: none. */
  @ApiPropertyOptional({ maxLength: LONGEST_WEBHOOK_URL, example: 'https://rp.example/logout' })
  @Optional()
  @IsString()
  readonly backchannel_logout_uri?: string;
}

/** The terms that the body names. */
export const clientSettingsOf = (body: ClientSettingsDto): Partial<ClientTerms> => ({
  ...(body.allowed_attributes && { allowedAttributes: body.allowed_attributes }),
  ...(body.allowed_predicates && { allowedPredicates: body.allowed_predicates }),
  ...(body.dynamic_qr !== undefined && { dynamicQr: body.dynamic_qr }),
  ...(body.finish_by_number !== undefined && { finishByNumber: body.finish_by_number }),
  ...(body.verification_code !== undefined && { verificationCode: body.verification_code }),
  ...(body.require_pushed_authorization_requests !== undefined && {
    requirePushedAuthorizationRequests: body.require_pushed_authorization_requests,
  }),
  ...(body.require_pkce !== undefined && { requirePkce: body.require_pkce }),
  ...(body.dpop_bound_access_tokens !== undefined && { dpopBoundAccessTokens: body.dpop_bound_access_tokens }),
  ...(body.require_signed_request_object !== undefined && { requireSignedRequestObject: body.require_signed_request_object }),
  ...(body.id_token_signed_response_alg !== undefined && { idTokenSignedResponseAlg: body.id_token_signed_response_alg }),
  ...(body.jwks !== undefined && { jwks: clientKeysIn(body.jwks) }),
  ...(body.jwks_uri !== undefined && { jwksUri: body.jwks_uri }),
  ...(body.backchannel_client_notification_endpoint !== undefined && {
    backchannelClientNotificationEndpoint: body.backchannel_client_notification_endpoint,
  }),
  ...(body.backchannel_logout_uri !== undefined && { backchannelLogoutUri: body.backchannel_logout_uri }),
});

/** The rules of addresses of webhooks hold for all addresses that the service calls. Throws {@link InvalidRequest}, which names the field. */
export const checkAddresses = (body: ClientSettingsDto, networks: ReachableNetworks): void => {
  for (const field of ['jwks_uri', 'backchannel_client_notification_endpoint', 'backchannel_logout_uri'] as const) {
    const { [field]: uri = '' } = body;
    const fault = uri === '' ? undefined : webhookUrlFault(uri, networks);
    if (fault) throw new InvalidRequest(`\`${field}\` ${fault}.`);
  }
};
