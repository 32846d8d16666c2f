import { describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';

import { callerOf, clientNetwork } from './client-network.js';
import { within } from './within.js';

interface Sent {
  readonly from: string;
  readonly forwarded?: string;
  readonly trustedProxies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The origin of a request that a real application has received. */
const originOf = async ({ from, forwarded, trustedProxies, headers = {} }: Sent): Promise<{ network?: string; caller: string }> => {
  const app = Fastify({ trustProxy: trustedProxies ? within(trustedProxies) : false });
  app.get('/', (request) => ({ network: clientNetwork(request), caller: callerOf(request) }));
  const sent = { ...headers, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
  const origin = (await app.inject({ url: '/', remoteAddress: from, headers: sent })).json<{ network?: string; caller: string }>();
  await app.close();
  return origin;
};

const networkOfRequest = async (sent: Sent): Promise<string | undefined> => (await originOf(sent)).network;

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
    ['the address without the port that the proxy has written', '192.0.2.1:4711', '4 192.0.2.1'],
    ['the last address before the trusted ones, which are named with their ports', '198.51.100.7, 192.0.2.1:4711, 10.0.0.9:80', '4 192.0.2.1'],
  ])('is %s, whatever the caller claims before it', async (_, forwarded, network) => {
    expect(await networkOfRequest({ from: '10.0.0.1', forwarded, trustedProxies: PROXIES })).toBe(network);
  });

  it.each([
    ['a caller who goes round the proxy', { from: '192.0.2.1', forwarded: '198.51.100.7' }],
    ['a caller who goes round the proxy, without a header', { from: '192.0.2.1' }],
    ['a trusted proxy that names no caller', { from: '10.0.0.1' }],
    ['a proxy that names something else than an address', { from: '10.0.0.1', forwarded: 'unknown' }],
  ])('is not known of %s', async (_, sent) => {
    expect(await networkOfRequest({ ...sent, trustedProxies: PROXIES })).toBeUndefined();
  });
});

describe('the caller by whom requests are counted', () => {
  const callerBehindProxy = async (forwarded: string): Promise<string> =>
    (await originOf({ from: '10.0.0.1', forwarded, trustedProxies: PROXIES })).caller;

  it.each([
    ['the port', '203.0.113.10:41000', '203.0.113.10:41001'],
    ['the port after IPv6', '[2001:db8::1]:41000', '[2001:db8::1]:41001'],
    ['brackets', '[2001:db8::1]', '2001:db8::1'],
    ['the half of an IPv6 address that the caller chooses', '2001:db8::1', '2001:db8::ffff:1:2:3'],
    ['the form of an IPv4 address', '203.0.113.10', '::ffff:203.0.113.10'],
    ['a text that is no address', 'unknown', 'caller-7'],
    ['the port after a trusted proxy', '203.0.113.10, 10.0.0.9:5000', '203.0.113.10, 10.0.0.9:5001'],
  ])('does not depend on %s', async (_, one, other) => {
    expect(await callerBehindProxy(one)).toBe(await callerBehindProxy(other));
  });

  it('is another one at another address, and without an address', async () => {
    const callers = await Promise.all(
      ['203.0.113.10:41000', '203.0.113.11:41000', '[2001:db8:0:1::1]:1', '2001:db8:0:2::1', 'unknown'].map(callerBehindProxy),
    );
    expect(new Set(callers).size).toBe(callers.length);
  });

  it('is the same one for connections that are closed', () => {
    expect(callerOf({ ip: undefined })).toBe(callerOf({ ip: 'unknown' }));
  });
});
