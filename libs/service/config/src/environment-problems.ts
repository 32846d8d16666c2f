import { guardedAnchorProblems } from './anchor-problems.js';
import { guardedEngineProblems } from './engine-problems.js';
import { GUARDED, isGuarded } from './environment.js';
import { boundProblems } from './guarded-bounds.js';
import { guardedNetworkProblems } from './guarded-networks.js';
import { originProblems } from './guarded-origins.js';
import { isInMemory } from './in-memory.js';
import { isLoopback } from './is-loopback.js';
import { PlatformSettings } from './platform-settings.js';
import type { ReadSettings } from './read-settings.js';
import { settingsOf } from './setting.decorator.js';
import { tokenFault } from './token-fault.js';

/**
 * Why these settings may not be used in their environment. Each problem names the setting and the remedy, never its value. `given`: the environment variables that they were
 * read from.
 */
export const environmentProblems = (settings: ReadSettings, given: NodeJS.ProcessEnv): readonly string[] => {
  if (settings.environment === undefined) return [];
  return isGuarded(settings.environment) ? [...guardProblems(settings), ...unsaidProblems(given)] : hostProblems(settings);
};

/** A relaxed environment accepts keys and credentials that are public or easily made, so it listens for this machine only. */
const hostProblems = ({ host, developmentNetwork }: ReadSettings): readonly string[] =>
  host === undefined || developmentNetwork || isLoopback(host)
    ? []
    : [
        'HOST must be a loopback address where ENVIRONMENT is development or test. Set HOST=127.0.0.1, or DEVELOPMENT_NETWORK=true on a network that you trust.',
      ];

const guardProblems = (settings: ReadSettings): readonly string[] => [
  ...Object.entries({
    BASE_URL: settings.baseUrl,
    LOGIN_URL: settings.loginUrl,
    APP_URL: settings.appUrl,
    PORTAL_URL: settings.portalUrl,
    // By default it begins with BASE_URL.
    ...(settings.issuerUrl !== `${settings.baseUrl}/openid` && { ISSUER_URL: settings.issuerUrl }),
  })
    .filter(([, url]) => url !== undefined && !url.startsWith('https:'))
    .map(([name]) => `${name} must be an https address, ${GUARDED}. Set ${name} to the address of your proxy that ends TLS.`),
  ...(settings.internalUrl !== undefined && settings.internalUrl !== settings.baseUrl && !isSafeInside(new URL(settings.internalUrl))
    ? [
        `INTERNAL_URL must be an https address or on loopback, ${GUARDED}. A secret is sent there. Set INTERNAL_URL to such an address, or leave INTERNAL_URL out.`,
      ]
    : []),
  ...(settings.tracesEndpoint !== undefined && !isSafeInside(new URL(settings.tracesEndpoint))
    ? [
        `OTEL_EXPORTER_OTLP_ENDPOINT must be an https address or on loopback, ${GUARDED}. Traces tell what relying parties do. Set it to such an address, or leave it out.`,
      ]
    : []),
  ...Object.entries({ AUDIT_OTLP_ENDPOINT: settings.auditOtlpEndpoint, AUDIT_WEBHOOK_URL: settings.auditWebhookUrl }).flatMap(([name, url]) =>
    url === undefined || isSafeInside(new URL(url))
      ? []
      : [
          `${name} must be an https address or on loopback, ${GUARDED}. The audit trail is sent there. Set ${name} to such an address, or leave it out.`,
        ],
  ),
  ...(isInMemory(settings.dataDirectory ?? '') ? [`DATA_DIR must be a folder, ${GUARDED}. Set DATA_DIR to one, or all is gone with the process.`] : []),
  ...(settings.sandbox ? [`SANDBOX must be false, ${GUARDED}. Leave SANDBOX out.`] : []),
  ...(settings.demo ? [`DEMO must be false, ${GUARDED}. Leave DEMO out.`] : []),
  ...(settings.adminToken === undefined ? [] : adminTokenProblems(settings.adminToken)),
  ...Object.entries({ CA_CMP_URL: settings.caCmpUrl, CA_STEP_URL: settings.caStepUrl }).flatMap(([name, url]) =>
    url === undefined ? [] : authorityProblems(name, url, settings),
  ),
  ...guardedEngineProblems(settings),
  ...guardedAnchorProblems(settings),
  ...originProblems(settings),
  ...guardedNetworkProblems('TRUSTED_PROXIES', settings.trustedProxies, 'the addresses of your proxies alone'),
  ...guardedNetworkProblems('WEBHOOK_ALLOWED_NETWORKS', settings.webhookAllowedNetworks, 'the networks of your receivers alone'),
  ...guardedNetworkProblems('PUSH_ALLOWED_NETWORKS', settings.pushAllowedNetworks, 'the networks of your push services alone'),
  ...boundProblems(settings, NAMES),
];

/** What has no default in a guarded environment. */
const unsaidProblems = (given: NodeJS.ProcessEnv): readonly string[] => [
  ...(given['FOUR_EYES']?.trim()
    ? []
    : [`FOUR_EYES must be said, ${GUARDED}. Set FOUR_EYES=true, or FOUR_EYES=false where one administrator may do everything alone.`]),
  ...(given['ANCHOR_DIR']?.trim() || given['ANCHOR_URL']?.trim()
    ? []
    : [
        `ANCHOR_DIR or ANCHOR_URL must be said, ${GUARDED}. Set ANCHOR_DIR to a folder on another disk or another machine than the store, for the checkpoints of its history, or ANCHOR_URL to a server that keeps them.`,
      ]),
];

/** The environment variable of each property. */
const NAMES: ReadonlyMap<string, string> = new Map(settingsOf(PlatformSettings).map(({ property, env }) => [property, env]));

const adminTokenProblems = (token: string): readonly string[] => {
  const fault = tokenFault(token);
  return fault === undefined ? [] : [`ADMIN_TOKEN ${fault}, ${GUARDED}. Make one with openssl rand -base64 32, or leave ADMIN_TOKEN out.`];
};

const authorityProblems = (name: string, url: string, { tsaUrls, trustAnchors }: ReadSettings): readonly string[] => [
  ...(isSafeInside(new URL(url)) ? [] : [`${name} must be an https address or on loopback, ${GUARDED}. Names and personal codes are sent there.`]),
  ...(tsaUrls === undefined || trustAnchors === undefined
    ? [`${name} needs TSA_URLS and TRUST_ANCHORS, ${GUARDED}: the development trust service is refused there.`]
    : []),
];

const isSafeInside = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
