import { GUARDED } from './environment.js';
import type { ReadSettings } from './read-settings.js';

/**
 * The addresses that share an origin and must not. The web phone keeps keys and the portal has the power of its persons: a fault in any other page of their origin would
 * reach them. The login page and the API may share one.
 */
export const originProblems = ({ baseUrl, loginUrl, internalUrl, appUrl, portalUrl }: ReadSettings): readonly string[] => {
  const apart: readonly Place[] = [
    ['APP_URL', appUrl],
    ['PORTAL_URL', portalUrl],
  ];
  const all: readonly Place[] = [
    ['BASE_URL', baseUrl],
    ['LOGIN_URL', loginUrl],
    // By default it is BASE_URL.
    ...(internalUrl === undefined || internalUrl === baseUrl ? [] : ([['INTERNAL_URL', internalUrl]] as const)),
    ...apart,
  ];
  return apart.flatMap(([name, url]) => {
    const shared = all.filter(
      ([other, otherUrl]) => other !== name && url !== undefined && otherUrl !== undefined && originOf(otherUrl) === originOf(url),
    );
    if (shared.length === 0) return [];
    const others = shared.map(([other]) => other).join(', ');
    return [`${name} must have an origin of its own, ${GUARDED}: it has that of ${others}. Set ${name} to an address under a host name of its own.`];
  });
};

type Place = readonly [name: string, url: string | undefined];

/** A dot at the end of a name leads to the same host. */
const originOf = (url: string): string => {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname.replace(/\.$/, '')}:${port}`;
};
