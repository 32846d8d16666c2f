import { getDomain } from 'tldts';

/** Whether a browser sends a Lax cookie from a page at one address to the other: the same scheme and registrable domain. */
export const sameSite = (one: string, other: string): boolean => {
  const [a, b] = [new URL(one), new URL(other)];
  return a.protocol === b.protocol && site(a.hostname) === site(b.hostname);
};

// Suffixes under which strangers register names (github.io) separate sites too. IP addresses and localhost have no domain.
const site = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;
