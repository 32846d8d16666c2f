import type { ClientId } from '#kernel';

import type { ClientKeys } from './client-keys.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';

/** The terms of a client, set by an administrator. */
export type ClientTerms = {
  /** The name that people see on their phone. Unique, and looks like no other client's (specification/admin.md#names-of-clients). */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly allowedAttributes: readonly string[];
  readonly allowedPredicates: readonly string[];
  readonly dynamicQr: boolean;
  /** Whether pushed sessions without the hosted page have a code to choose on the phone. Absent: no. */
  readonly verificationCode?: boolean;
  /** Whether a hosted login that was opened by a link may be finished by a number that the phone shows. Absent: no. Never together with `dynamicQr`. */
  readonly finishByNumber?: boolean;
  /** OpenID Connect (RFC 9126 section 6): whether a browser cannot bring the request of a login by itself. Absent: it cannot. */
  readonly requirePushedAuthorizationRequests?: boolean;
  /** OpenID Connect: whether each request has a code challenge (RFC 7636). Absent: it has; else a nonce will do. */
  readonly requirePkce?: boolean;
  /** OpenID Connect (RFC 9449 section 5.2): whether each access token is bound to a key that the client proves. Absent: those alone for which it brings a proof. */
  readonly dpopBoundAccessTokens?: boolean;
  /**
   * OpenID Connect (RFC 7591 section 2): `private_key_jwt` for a client that proves itself by its keys alone, as FAPI 2.0 has it: with PS256 or ES256, and the issuer as the only
   * audience. Absent or empty: by its keys or its secret.
   */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
  /**
   * OpenID Connect (RFC 9101 section 10.5): whether the client signs each request. Such a client keeps to the FAPI 2.0 Security Profile, also in what `checkTerms` asks of its
   * other terms, and proves itself by its keys alone. Absent: no.
   */
  readonly requireSignedRequestObject?: boolean;
  /** OpenID Connect: the algorithm of the client's ID tokens. Absent: RS256. */
  readonly idTokenSignedResponseAlg?: IdTokenAlgorithm;
  /** The public keys that prove the client in place of its secret. Absent: none. */
  readonly jwks?: ClientKeys;
  /** The address at which the client publishes these keys, never beside keys in {@link jwks}. Absent or empty: none. */
  readonly jwksUri?: string;
  /** OpenID Connect CIBA: where the client is told that a login without a browser is decided. Absent or empty: it asks for that. */
  readonly backchannelClientNotificationEndpoint?: string;
  /** OpenID Connect Back-Channel Logout: where the client is told that a person is to be logged out there. Absent or empty: it is not told. */
  readonly backchannelLogoutUri?: string;
};

/** The one way of client authentication that can be required, and the empty text, which takes the requirement back. */
export const TOKEN_ENDPOINT_AUTH_METHODS = ['private_key_jwt', ''] as const;

export type TokenEndpointAuthMethod = (typeof TOKEN_ENDPOINT_AUTH_METHODS)[number];

/** RFC 7518 section 3.1. The first one is the default. */
export const ID_TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;

/** FAPI 2.0 Security Profile section 5.4.1, without EdDSA. */
export const FAPI_ALGORITHMS = ['PS256', 'ES256'] as const satisfies readonly (typeof ID_TOKEN_ALGORITHMS)[number][];

export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

/** Terms that protect the logins of a client. */
export const PROTECTIONS = [
  'dynamicQr',
  'verificationCode',
  'requirePushedAuthorizationRequests',
  'requirePkce',
  'dpopBoundAccessTokens',
  'tokenEndpointAuthMethod',
  'requireSignedRequestObject',
] as const satisfies readonly (keyof ClientTerms)[];

export type Protection = (typeof PROTECTIONS)[number];

/** Those that a client has until they are switched off. */
const USUAL: ReadonlySet<Protection> = new Set<Protection>(['requirePushedAuthorizationRequests', 'requirePkce']);

export const hasProtection = (terms: Pick<ClientTerms, Protection>, protection: Protection): boolean => {
  const value = terms[protection] ?? USUAL.has(protection);
  return value !== false && value !== '';
};

/**
 * The terms that people see, that say where logins return to, what the client may ask for, and which protection a login does without. A member's change of
 * them may wait for an operator's consent.
 */
export const CONSENT_TERMS = [
  'name',
  'redirectUris',
  'allowedAttributes',
  'allowedPredicates',
  'finishByNumber',
  ...PROTECTIONS,
] as const satisfies readonly (keyof ClientTerms)[];

/** The values of these terms. */
export type ConsentTerms = Pick<ClientTerms, (typeof CONSENT_TERMS)[number]>;

/** A member's change that an operator has neither accepted nor refused. */
export type WaitingChange = {
  /** Names this content: a change that was altered since has another id. */
  readonly changeId: string;
  /** The member. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The terms as they will be. */
  readonly changes: Partial<ConsentTerms>;
};

/** What an operator has decided on the last change that waited. `at`: epoch milliseconds. */
export type ChangeDecision = { readonly changeId: string; readonly accepted: boolean; readonly at: number };

/** A relying party as the other libraries see it. */
export interface Client extends ClientTerms {
  readonly clientId: ClientId;
  /** False: staff has disabled it; nothing is accepted from it (specification/admin.md#disabled-clients). */
  readonly enabled: boolean;
}

/** Whether the client proves itself at the provider by its keys alone (FAPI 2.0 Security Profile section 5.3.2.1). */
export const provesByKeysAlone = ({ tokenEndpointAuthMethod, requireSignedRequestObject }: ClientTerms): boolean =>
  tokenEndpointAuthMethod === 'private_key_jwt' || requireSignedRequestObject === true;

/** Whether the client is told that a person is to be logged out there (OpenID Connect Back-Channel Logout 1.0). */
export const takesLogouts = (client: Client | undefined): client is Client & Required<Pick<Client, 'backchannelLogoutUri'>> =>
  client?.enabled === true && Boolean(client.backchannelLogoutUri);

export type ClientState =
  | { readonly status: 'NONE' }
  | { readonly status: 'DELETED'; readonly terms: ClientTerms }
  | {
      readonly status: 'REGISTERED';
      readonly terms: ClientTerms;
      readonly secretHash: string;
      /** Epoch milliseconds. */
      readonly secretIssuedAt: number;
      readonly enabled: boolean;
      readonly endpoints: readonly WebhookEndpoint[];
      readonly waiting?: WaitingChange;
      /** How many changes were asked for on the last day (UTC) on which one was. `day`: days since 1970-01-01. */
      readonly asked?: { readonly day: number; readonly count: number };
      readonly decided?: ChangeDecision;
    };

export type RegisteredClient = Extract<ClientState, { status: 'REGISTERED' }>;
