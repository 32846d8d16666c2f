import { getDomain } from 'tldts';

/** Whether a browser sends a Lax cookie from a page of one address to the other: both have the same scheme and registrable domain. */
export const sameSite = (one: string, other: string): boolean => {
  const [a, b] = [new URL(one), new URL(other)];
  return a.protocol === b.protocol && site(a.hostname) === site(b.hostname);
};

// A private suffix such as github.io separates sites too. IP addresses and localhost have no registrable domain.
const site = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;
