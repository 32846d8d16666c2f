import type { FastifyRequest } from 'fastify';

import { networkOf } from './network-of.js';

interface Origin extends Pick<FastifyRequest, 'headers' | 'ips'> {
  /** Undefined once the connection is closed. */
  readonly ip: string | undefined;
}

/** All callers whose proxy names something else than an address share its counts. */
const NO_ADDRESS = 'no address';

/**
 * The caller by whom requests are counted: its network, as {@link networkOf} writes it. One name for every request that comes without an address. Each limit
 * by address uses it; no other file reads the address of a request.
 */
export const callerOf = ({ ip }: Pick<Origin, 'ip'>): string => networkOf(ip ?? '') ?? NO_ADDRESS;

/**
 * The network that a request comes from, as {@link networkOf} writes it. Two requests of one network give the same text, however their addresses are spelled.
 *
 * Undefined if the service cannot know the network. With TRUSTED_PROXIES, only the address that one of these proxies reports counts. Without them, a
 * request that another proxy has passed on would show that proxy's address. An address with a zone is of one link alone, so it names no network.
 */
export const clientNetwork = ({ headers, ip, ips }: Origin): string | undefined => {
  const isKnown = ips ? ips.length > 1 : headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined;
  return isKnown && ip !== undefined && !ip.includes('%') ? networkOf(ip) : undefined;
};
