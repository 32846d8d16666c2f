import { join } from 'node:path';

import { IsIn, Max, Min, ValidateIf } from 'class-validator';

import { AuditForwardingSettings } from './audit-forwarding-settings.js';
import { isContactAddress, IsContactAddress } from './contact-address.js';
import { isGuarded } from './environment.js';
import { address, flag, httpUrl, integer, list, share, text } from './formats.js';
import { IsNetworks } from './rules.js';
import { Setting } from './setting.decorator.js';

/** The settings of every app. Times are in seconds. `docs/configuration.md` lists them in the order of this chain of classes; a fallback may use the settings above its own. */
export class PlatformSettings extends AuditForwardingSettings {
  @Setting({
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    as: list,
    fallback: ({ environment }: PlatformSettings) => (environment === 'development' ? '127.0.0.0/8,::1/128' : ','),
    fallbackText: 'loopback in `development`, else none',
    meaning:
      'Networks that webhooks and the calls for published keys of relying parties may reach besides public addresses. A guarded environment refuses link-local and metadata addresses, and what is wider than /8 (IPv6: /16).',
  })
  @IsNetworks()
  readonly webhookAllowedNetworks!: readonly string[];

  @Setting({
    env: 'PUSH_ALLOWED_NETWORKS',
    as: list,
    fallback: ({ environment }: PlatformSettings) => (isGuarded(environment) ? ',' : '127.0.0.0/8,::1/128'),
    fallbackText: 'loopback in `development` and `test`, else none',
    meaning:
      'Networks that pushes to phones may reach besides public addresses. Every person may register the address of a push service, so `WEBHOOK_ALLOWED_NETWORKS` does not count for it.',
  })
  @IsNetworks()
  readonly pushAllowedNetworks!: readonly string[];

  @Setting({
    env: 'VAPID_KEYS',
    as: text,
    fallback: ({ environment, keyDirectory }: PlatformSettings) => (isGuarded(environment) ? '' : join(`${keyDirectory}`, 'vapid.json')),
    fallbackText: '`$KEY_DIR/vapid.json` in `development` and `test`, made on the first start; else none',
    meaning:
      'File of the VAPID keys that pushes to phones are signed with: JSON with `publicKey` and `privateKey`. Without it nothing is pushed; phones find requests in their inbox. Other keys end every subscription.',
  })
  readonly vapidKeys!: string;

  @Setting({
    env: 'VAPID_SUBJECT',
    as: address,
    fallback: ({ appUrl, environment }: PlatformSettings) =>
      isGuarded(environment) || isContactAddress(appUrl) ? appUrl : 'mailto:development@example.com',
    fallbackText: '`$APP_URL`, where that is https with a public host',
    meaning:
      'The address where the owner of a push service reaches the operator: `mailto:` or `https:`, with a public host. Every push tells it. Needed with `VAPID_KEYS` where the host of `APP_URL` is not public.',
  })
  @ValidateIf(({ vapidKeys, vapidSubject, appUrl }: PlatformSettings) => vapidKeys !== '' || vapidSubject !== appUrl)
  @IsContactAddress()
  readonly vapidSubject!: string;

  @Setting({
    env: 'TRUSTED_PROXIES',
    as: list,
    fallback: ',',
    fallbackText: 'none',
    meaning:
      'Addresses and networks whose `X-Forwarded-For` counts. A guarded environment refuses link-local and metadata addresses, and what is wider than /8 (IPv6: /16).',
  })
  @IsNetworks()
  readonly trustedProxies!: readonly string[];

  @Setting({
    env: 'IDLE_GRACE',
    as: integer,
    fallback: '0',
    meaning:
      'How long idle connections are still answered after SIGTERM, at most 8. Behind a gateway it must be longer than the gateway keeps an idle connection, so that no request meets one that is being closed.',
  })
  @Min(0)
  @Max(8)
  readonly idleGrace!: number;

  @Setting({
    env: 'AUTHENTICATION_FAILURE_LIMIT',
    as: integer,
    fallback: '300',
    meaning:
      'Failed authentications from one address in a minute, counted apart for clients, staff, phones and the hosted page, and refused enrolments for one person; further ones are answered 429, those of clients 401 with Retry-After. Right credentials are never counted.',
  })
  @Min(1)
  readonly authenticationFailureLimit!: number;

  @Setting({
    env: 'POLL_LIMIT',
    as: integer,
    fallback: '1200',
    meaning: 'Status requests of one hosted login, and inbox requests of one phone, in a minute.',
  })
  @Min(1)
  readonly pollLimit!: number;

  @Setting({
    env: 'FOUR_EYES',
    as: flag,
    fallback: ({ environment }: PlatformSettings) => (isGuarded(environment) ? undefined : 'false'),
    fallbackText: '`false` in `development` and `test`; a guarded environment has to say `true` or `false`',
    meaning:
      'Whether two persons, each with a phone of their own, have to send a change that makes or unmakes a person with power, the erasure of a person, and a new secret of a client or of a webhook endpoint, before it takes effect. Tokens never count.',
  })
  readonly fourEyes!: boolean;

  @Setting({
    env: 'CLIENT_CONSENT',
    as: flag,
    fallback: 'false',
    meaning:
      'Whether a change by a member of a relying party waits for the consent of an operator: of its name, its redirect URIs, what it may ask for, and that a number may finish its logins. Members can then change all of them; without it, redirect URIs alone, at once.',
  })
  readonly clientConsent!: boolean;

  @Setting({
    env: 'PORTAL_IDLE',
    as: integer,
    fallback: '900',
    meaning: 'After how many seconds without a request a session of the portal ends. It ends after an hour in any case.',
  })
  @Min(1)
  readonly portalIdle!: number;

  @Setting({
    env: 'PORTAL_PHONE_WAIT',
    as: integer,
    fallback: '86400',
    meaning:
      'How many seconds a phone waits that a member of the portal has enrolled after joining, before it may log in to the portal without the approval of another phone of the member.',
  })
  @Min(0)
  readonly portalPhoneWait!: number;

  @Setting({ env: 'PUSH_LIMIT', as: integer, fallback: '5', meaning: 'Push sessions for one client and subject in `PUSH_LIMIT_WINDOW`.' })
  @Min(1)
  readonly pushLimit!: number;

  @Setting({ env: 'PUSH_LIMIT_WINDOW', as: integer, fallback: '600', meaning: 'The window of `PUSH_LIMIT` and of `PUSH_PERSON_LIMIT`.' })
  @Min(1)
  readonly pushLimitWindow!: number;

  @Setting({
    env: 'PUSH_PERSON_LIMIT',
    as: integer,
    fallback: '15',
    meaning:
      'Push sessions of all clients together that wake the phones of one person in `PUSH_LIMIT_WINDOW`. Further ones lie in the inbox of the phone and wake it not.',
  })
  @Min(1)
  readonly pushPersonLimit!: number;

  @Setting({
    env: 'PUSH_DECLINE_WAIT',
    as: integer,
    fallback: '60',
    meaning:
      'How long a client waits with its next push after the person has declined one. Each further Decline within a day doubles it, up to an hour.',
  })
  @Min(1)
  readonly pushDeclineWait!: number;

  @Setting({
    env: 'WEBHOOK_PING_LIMIT',
    as: integer,
    fallback: '1',
    meaning: 'Pings of one webhook endpoint, on request, in `WEBHOOK_PING_LIMIT_WINDOW`.',
  })
  @Min(1)
  readonly webhookPingLimit!: number;

  @Setting({ env: 'WEBHOOK_PING_LIMIT_WINDOW', as: integer, fallback: '10', meaning: 'The window of `WEBHOOK_PING_LIMIT`.' })
  @Min(1)
  readonly webhookPingLimitWindow!: number;

  @Setting({
    env: 'WEBHOOK_RECOVER_LIMIT',
    as: integer,
    fallback: '6',
    meaning: 'Calls of `recover` for all webhook endpoints of one client in `WEBHOOK_RECOVER_LIMIT_WINDOW`. One at a time, whatever the limit.',
  })
  @Min(1)
  readonly webhookRecoverLimit!: number;

  @Setting({ env: 'WEBHOOK_RECOVER_LIMIT_WINDOW', as: integer, fallback: '3600', meaning: 'The window of `WEBHOOK_RECOVER_LIMIT`.' })
  @Min(1)
  readonly webhookRecoverLimitWindow!: number;

  @Setting({
    env: 'LEGACY_SIGNING',
    as: flag,
    fallback: 'true',
    meaning: 'Whether `POST /relying-party/v1/create-signing-request` still works. If not, it answers 410.',
  })
  readonly legacySigning!: boolean;

  @Setting({ env: 'LOG_LEVEL', as: text, fallback: 'info', meaning: '`debug`, `info`, `warn`, `error` or `silent`. `debug` logs every poll.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'], { message: '$property must be debug, info, warn, error or silent' })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    as: httpUrl,
    meaning:
      'Collector of traces (OTLP over HTTP), without `/v1/traces`. Unset: no traces are recorded. `OTEL_EXPORTER_OTLP_HEADERS` holds its credentials.',
  })
  readonly tracesEndpoint?: string;

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    as: share,
    fallback: '1',
    meaning: 'The share of the traces that begin here and are recorded, from 0 to 1. Where a caller sends a `traceparent`, its flag decides.',
  })
  readonly tracesShare!: number;

  @Setting({ env: 'OTEL_SERVICE_NAME', as: text, fallback: 'countersign', meaning: 'The name of this service in traces.' })
  readonly serviceName!: string;
}
