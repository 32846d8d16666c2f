import { isIP } from 'node:net';

import { InvalidRequest } from '#kernel';

import type { ReachableNetworks } from './reachable-networks.js';

/** Characters. */
export const LONGEST_WEBHOOK_URL = 2000;
const PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);
const INTERNAL_NAMES = /(^|\.)(internal|local|localhost|home\.arpa)$/;

/**
 * The fault of a webhook endpoint's URL, to complete "`url` …", or undefined (specification/webhooks.md#addresses-of-endpoints). Checked when
 * an endpoint is added or changed. The addresses that its host resolves to are checked at each connect.
 */
export const webhookUrlFault = (url: string, networks: ReachableNetworks): string | undefined => {
  if (url.length > LONGEST_WEBHOOK_URL) return `must have at most ${LONGEST_WEBHOOK_URL} characters`;
  // The URL parser would drop these characters silently.
  if (/[\u0000-\u0020\u007f\\]/.test(url)) return 'must be a URL without blanks and control characters';
  const parsed = URL.parse(url);
  if (!parsed) return 'must be a URL';
  if (parsed.username || parsed.password) return 'must not hold a user or a password';
  if (parsed.hash || url.includes('#')) return 'must not have a fragment';
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const literal = isIP(host) !== 0;
  if (literal && networks.isAllowed(host)) return ['http:', 'https:'].includes(parsed.protocol) ? undefined : 'must begin with http:// or https://';
  if (parsed.protocol !== 'https:') return 'must begin with https://';
  if (literal) return 'must name a host, not an IP address';
  if (!host.includes('.') || INTERNAL_NAMES.test(host)) return 'must name a public host';
  return PORTS.has(parsed.port) ? undefined : 'must use port 443 or 8443';
};

/** Throws {@link InvalidRequest} with the fault of the URL, if it has one. */
export const checkWebhookUrl = (url: string, networks: ReachableNetworks): void => {
  const fault = webhookUrlFault(url, networks);
  if (fault) throw new InvalidRequest(`\`url\` ${fault}.`);
};
