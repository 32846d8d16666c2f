/** A setting that protects the logins of a relying party. */
export interface Protection {
  /** The member of the client. */
  readonly member: string;
  readonly text: 'dynamicQr' | 'verificationCode' | 'requirePushed' | 'requirePkce' | 'dpopBound' | 'keysAlone' | 'signedRequests';
  /** Whether it is on until it is switched off. */
  readonly isUsual: boolean;
  /** What the member holds when it is on. Default: true; off is false or the empty text. */
  readonly on?: string;
}

/** Of OpenID Connect, with the field of the API, and the id of the box. */
export const OPENID_PROTECTIONS = [
  {
    name: 'require_pushed_authorization_requests',
    member: 'requirePushedAuthorizationRequests',
    text: 'requirePushed',
    id: 'require-par',
    isUsual: true,
  },
  { name: 'require_pkce', member: 'requirePkce', text: 'requirePkce', id: 'require-pkce', isUsual: true },
  { name: 'dpop_bound_access_tokens', member: 'dpopBoundAccessTokens', text: 'dpopBound', id: 'dpop-bound', isUsual: false },
  {
    name: 'token_endpoint_auth_method',
    member: 'tokenEndpointAuthMethod',
    text: 'keysAlone',
    id: 'keys-alone',
    isUsual: false,
    on: 'private_key_jwt',
  },
  { name: 'require_signed_request_object', member: 'requireSignedRequestObject', text: 'signedRequests', id: 'signed-requests', isUsual: false },
] as const satisfies readonly (Protection & { readonly name: string; readonly id: string })[];

export const PROTECTIONS: readonly Protection[] = [
  { member: 'dynamicQr', text: 'dynamicQr', isUsual: false },
  { member: 'verificationCode', text: 'verificationCode', isUsual: false },
  ...OPENID_PROTECTIONS,
];

/** The other terms whose change may wait for an operator's consent. The change of a protection waits where it is switched off. */
export const OTHER_TERMS = ['name', 'redirectUris', 'allowedAttributes', 'allowedPredicates', 'finishByNumber'] as const;

export const isOn = (client: Readonly<Record<string, unknown>>, { member, isUsual, on }: Protection): boolean =>
  isUsual ? client[member] !== false : client[member] === (on ?? true);
