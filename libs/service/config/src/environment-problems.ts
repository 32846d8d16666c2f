import { guardedEngineProblems } from './engine-problems.js';
import { GUARDED, isGuarded } from './environment.js';
import { isLoopback } from './is-loopback.js';
import type { ReadSettings } from './read-settings.js';

/** So long that a member hears of a phone that another person has enrolled. Seconds. */
const SHORTEST_PHONE_WAIT = 3_600;

/** Why these settings may not be used in their environment. Each problem names the setting and the remedy, never its value. */
export const environmentProblems = (settings: ReadSettings): readonly string[] => {
  if (settings.environment === undefined) return [];
  return isGuarded(settings.environment) ? guardProblems(settings) : networkProblems(settings);
};

/** A relaxed environment accepts keys and credentials that are public or easily made, so it listens for this machine only. */
const networkProblems = ({ host, developmentNetwork }: ReadSettings): readonly string[] =>
  host === undefined || developmentNetwork || isLoopback(host)
    ? []
    : [
        'HOST must be a loopback address where ENVIRONMENT is development or test. Set HOST=127.0.0.1, or DEVELOPMENT_NETWORK=true on a network that you trust.',
      ];

const guardProblems = (settings: ReadSettings): readonly string[] => [
  ...Object.entries({ BASE_URL: settings.baseUrl, LOGIN_URL: settings.loginUrl, APP_URL: settings.appUrl, PORTAL_URL: settings.portalUrl })
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
  ...(settings.sandbox ? [`SANDBOX must be false, ${GUARDED}. Leave SANDBOX out.`] : []),
  ...(settings.demo ? [`DEMO must be false, ${GUARDED}. Leave DEMO out.`] : []),
  ...(settings.portalPhoneWait !== undefined && settings.portalPhoneWait < SHORTEST_PHONE_WAIT
    ? [`PORTAL_PHONE_WAIT must be at least ${SHORTEST_PHONE_WAIT}, ${GUARDED}. Leave PORTAL_PHONE_WAIT out.`]
    : []),
  ...(settings.adminToken !== undefined && isWeak(settings.adminToken)
    ? [`ADMIN_TOKEN must be at least 43 random characters, ${GUARDED}. Make one with openssl rand -base64 32, or leave ADMIN_TOKEN out.`]
    : []),
  ...Object.entries({ CA_CMP_URL: settings.caCmpUrl, CA_STEP_URL: settings.caStepUrl }).flatMap(([name, url]) =>
    url === undefined ? [] : authorityProblems(name, url, settings),
  ),
  ...guardedEngineProblems(settings),
];

const authorityProblems = (name: string, url: string, { tsaUrls, trustAnchors }: ReadSettings): readonly string[] => [
  ...(isSafeInside(new URL(url)) ? [] : [`${name} must be an https address or on loopback, ${GUARDED}. Names and personal codes are sent there.`]),
  ...(tsaUrls === undefined || trustAnchors === undefined
    ? [`${name} needs TSA_URLS and TRUST_ANCHORS, ${GUARDED}: the development trust service is refused there.`]
    : []),
];

const isSafeInside = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));

/** Shorter than 32 bytes in base64url, or of so few different characters that they are not random; 32 random bytes in hex have more than ten. */
const isWeak = (token: string): boolean => token.length < 43 || new Set(token).size < 10;
