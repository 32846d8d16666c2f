import type { LoginRequest } from '#relying-party-client';

/** What the demo tells its operator: fixed words, a status and an errorCode, never what a request held. */
export interface DemoLog {
  info(message: string): void;
  warn(message: string, fields: { readonly status?: number; readonly errorCode?: string; readonly reason?: string }): void;
  error(message: string, fields: { readonly error: unknown }): void;
}

export interface DemoOptions {
  /** Where people reach the demo: scheme, host and port. Its cookie is Secure when this is https. `<origin>/callback` has to be registered. */
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The login service. */
  readonly service: ServiceAddresses;
  /** Signs the session cookie: 32 characters or more, another one than the client secret. Default: a random one, as short-lived as the sessions. */
  readonly cookieSecret?: string;
  /** `whsec_…` of the webhook endpoint `<origin>/webhooks`; while it rotates, the new one and the old one. Default: none, and nothing is received. */
  readonly webhookSecrets?: readonly string[];
  /** What the client is registered as. */
  readonly name?: string;
  /** What the client may ask for. */
  readonly attributes?: readonly string[];
  readonly predicates?: readonly string[];
  readonly log?: DemoLog;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

export interface ServiceAddresses {
  /** The specification's {base_url}. */
  readonly baseUrl: string;
  /** The specification's {login_url}. */
  readonly loginUrl: string;
  /** The specification's {app_scheme}. */
  readonly appScheme: string;
  /** The web phone, where there is one. */
  readonly appUrl?: string;
}

/** What the user chose to log in with. */
export type LoginChoices = Pick<LoginRequest, 'title' | 'properties'> & {
  readonly integration: 'HOSTED_PAGE' | 'OWN_PAGE';
  /** Who is asked by push; nobody: a QR code or a link. */
  readonly pushTo?: string;
};
