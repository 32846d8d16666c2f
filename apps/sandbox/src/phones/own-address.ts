import { isIPv6 } from 'node:net';

import type { Platform } from '#service/platform';

/** The address at which this process reaches itself: not BASE_URL, which may lead through a proxy. */
export const ownAddress = ({ host, port }: Pick<Platform['settings'], 'host' | 'port'>): string => {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
};
