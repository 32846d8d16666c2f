import { describe, expect, it } from '@jest/globals';
import Fastify from 'fastify';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { MemoryLog } from '#testkit/http/orders';

import { ProxyReports } from './proxy-reports.js';
import { within } from './within.js';

interface Sent {
  readonly from?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const PROXY = '10.0.0.1';

describe('the reports on proxies', () => {
  const watching = ({ trustedProxies = ['10.0.0.0/8'], behindProxies = true } = {}) => {
    const clock = new FixedClock();
    const log = new MemoryLog();
    const reports = new ProxyReports({ trustedProxies, urls: ['https://id.example', 'https://phone.example:8443/phone'], behindProxies, clock, log });
    const app = Fastify({ trustProxy: trustedProxies.length > 0 ? within(trustedProxies) : false });
    reports.watch(app);
    app.get('/', () => 'answer');
    const send = async ({ from = PROXY, host = 'id.example', headers = {} }: Sent = {}): Promise<readonly string[]> => {
      expect((await app.inject({ url: '/', remoteAddress: from, headers: { host, ...headers } })).statusCode).toBe(200);
      return reports.warnings();
    };
    return { send, reports, clock, log };
  };
  const warned = async (sent: Sent, options = {}): Promise<readonly string[]> => watching(options).send(sent);
  const forwardedFor = (value: string) => ({ 'x-forwarded-for': value });

  it.each([
    '203.0.113.10',
    '203.0.113.10:41000',
    '[2001:db8::1]:41000',
    '2001:db8::1',
    '198.51.100.7, 203.0.113.10',
    'unknown, 203.0.113.10',
    '203.0.113.10, 10.0.0.9:80',
    '203.0.113.10:_x',
  ])('say nothing of a proxy that sends %s', async (value) => expect(await warned({ headers: forwardedFor(value) })).toEqual([]));

  it.each(['unknown', '_hidden', 'unknown:41000', '203.0.113.10, unknown', 'unknown, 10.0.0.9', '"203.0.113.10"', '203.0.113', 'caller.example'])(
    'tell of a proxy of TRUSTED_PROXIES that sends %j',
    async (value) => {
      expect(await warned({ headers: forwardedFor(value) })).toEqual([
        expect.stringMatching(/^A proxy of TRUSTED_PROXIES names its callers by something else than an IP address/),
      ]);
    },
  );

  it.each([{ forwarded: 'for=203.0.113.10' }, { 'x-real-ip': '203.0.113.10' }, {}])(
    'tell of a proxy of TRUSTED_PROXIES that sends no X-Forwarded-For, but %j',
    async (headers) => {
      for (const host of ['id.example', 'ID.example', 'phone.example:8443'])
        expect(await warned({ host, headers: headers as Record<string, string> })).toEqual([
          expect.stringMatching(/^A proxy of TRUSTED_PROXIES sends no X-Forwarded-For/),
        ]);
    },
  );

  it('say nothing of a machine of TRUSTED_PROXIES that calls the service itself', async () => {
    expect(await warned({ host: '127.0.0.1:3000' })).toEqual([]);
  });

  it.each([forwardedFor('203.0.113.10'), { forwarded: 'for=203.0.113.10' }])(
    'tell of a proxy that TRUSTED_PROXIES does not name, where all requests come by proxies: %j',
    async (headers) => {
      const sent = { from: '192.0.2.1', headers: headers as Record<string, string> };
      for (const trustedProxies of [['10.0.0.0/8'], []])
        expect(await warned(sent, { trustedProxies })).toEqual([
          expect.stringMatching(/^A proxy that TRUSTED_PROXIES does not name passes requests on/),
        ]);
      expect(await warned(sent, { behindProxies: false })).toEqual([]);
    },
  );

  it('say nothing of a caller without a proxy', async () => expect(await warned({ from: '192.0.2.1' })).toEqual([]));

  it('are logged once, name no address, and end ten minutes after the last faulty request', async () => {
    const { send, reports, clock, log } = watching();
    for (let time = 0; time < 3; time++) await send({ headers: forwardedFor('caller-of-hunter2') });
    expect(log.lines.map(({ fields }) => fields?.component)).toEqual(['proxies']);
    expect(JSON.stringify([log.lines, reports.warnings()])).not.toContain('hunter2');
    clock.advance(599_999);
    expect(await send({ headers: forwardedFor('203.0.113.10') })).toHaveLength(1);
    clock.advance(1);
    expect(reports.warnings()).toEqual([]);
    await send({ headers: forwardedFor('unknown') });
    expect(log.lines).toHaveLength(2);
  });
});
