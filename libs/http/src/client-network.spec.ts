import { describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';

import { clientNetwork } from './client-network.js';

interface Sent {
  readonly from: string;
  readonly forwarded?: string;
  readonly trustedProxies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The network of a request that a real application has received. */
const networkOfRequest = async ({ from, forwarded, trustedProxies, headers = {} }: Sent): Promise<string | undefined> => {
  const app = Fastify({ trustProxy: trustedProxies ? [...trustedProxies] : false });
  app.get('/', (request) => ({ network: clientNetwork(request) }));
  const sent = { ...headers, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
  const { network } = (await app.inject({ url: '/', remoteAddress: from, headers: sent })).json<{ network?: string }>();
  await app.close();
  return network;
};

const PROXIES = ['10.0.0.0/8'];

describe('the network of a request, without TRUSTED_PROXIES', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '4 192.0.2.1'],
    ['an IPv4 address in IPv6 form', '::ffff:192.0.2.1', '4 192.0.2.1'],
    ['the first half of an IPv6 address', '2001:db8:0:1:2:3:4:5', '6 2001:db8:0:1'],
    ['the same of another address of that network', '2001:0DB8::1:ffff:0:0:1', '6 2001:db8:0:1'],
    ['the same where zeros are left out', '2001:db8::1', '6 2001:db8:0:0'],
    ['loopback', '::1', '6 0:0:0:0'],
  ])('is %s', async (_, from, network) => {
    expect(await networkOfRequest({ from })).toBe(network);
  });

  it.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '192.0.2.9' }],
    ['Forwarded', { forwarded: 'for=192.0.2.9' }],
  ])('is not known with %s: a proxy that the service does not know has passed it on, or it is forged', async (_, headers) => {
    expect(await networkOfRequest({ from: '192.0.2.1', headers })).toBeUndefined();
  });

  it('is not known of an address with a zone', async () => {
    expect(await networkOfRequest({ from: 'fe80::1%eth0' })).toBeUndefined();
  });
});

describe('the network of a request, with TRUSTED_PROXIES', () => {
  it.each([
    ['the address that the proxy has seen', '192.0.2.1', '4 192.0.2.1'],
    ['the last address before the trusted ones', '198.51.100.7, 192.0.2.1, 10.0.0.9', '4 192.0.2.1'],
  ])('is %s, whatever the caller claims before it', async (_, forwarded, network) => {
    expect(await networkOfRequest({ from: '10.0.0.1', forwarded, trustedProxies: PROXIES })).toBe(network);
  });

  it.each([
    ['a caller who goes round the proxy', { from: '192.0.2.1', forwarded: '198.51.100.7' }],
    ['a caller who goes round the proxy, without a header', { from: '192.0.2.1' }],
    ['a trusted proxy that names no caller', { from: '10.0.0.1' }],
    ['a proxy that names something else than an address', { from: '10.0.0.1', forwarded: 'unknown' }],
    ['a proxy that names an address with a port', { from: '10.0.0.1', forwarded: '192.0.2.1:4711' }],
  ])('is not known of %s', async (_, sent) => {
    expect(await networkOfRequest({ ...sent, trustedProxies: PROXIES })).toBeUndefined();
  });
});
