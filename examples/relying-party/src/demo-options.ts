import type { LoginRequest } from '#clients/relying-party';

/** The demo's log: fixed texts, a status and an errorCode, never the content of a request. */
export interface DemoLog {
  info(message: string): void;
  warn(message: string, fields: { readonly status?: number; readonly errorCode?: string; readonly reason?: string }): void;
  error(message: string, fields: { readonly error: unknown }): void;
}

export interface DemoOptions {
  /** The demo's public address: scheme, host and port. The cookie is Secure when this is https. `<origin>/callback` must be registered. */
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The login service. */
  readonly service: ServiceAddresses;
  /** Signs the session cookie: 32 characters or more, other than the client secret. Default: a random one, which lives as long as the sessions. */
  readonly cookieSecret?: string;
  /** `whsec_…` of the webhook endpoint `<origin>/webhooks`; during a rotation the new one and the old one. Default: none; then no messages are received. */
  readonly webhookSecrets?: readonly string[];
  /** The client's registered name. */
  readonly name?: string;
  /** The properties that the client may request. */
  readonly attributes?: readonly string[];
  readonly predicates?: readonly string[];
  readonly log?: DemoLog;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

export interface ServiceAddresses {
  /** {base_url} of specification/conventions.md#addresses. */
  readonly baseUrl: string;
  /** {login_url} of specification/conventions.md#addresses. */
  readonly loginUrl: string;
  /** {app_scheme} of specification/conventions.md#addresses. */
  readonly appScheme: string;
  /** The web phone, if there is one. */
  readonly appUrl?: string;
}

/** The user's choices for a login. */
export type LoginChoices = Pick<LoginRequest, 'title' | 'properties'> & {
  readonly integration: 'HOSTED_PAGE' | 'OWN_PAGE';
  /** The subject to call by push. Undefined: a QR code or a link. */
  readonly pushTo?: string;
};
