import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { generateKeyFiles, loadPlatformSettings } from '#service/config';
import { examine } from '#service/platform';
import { TestCa } from '#testkit/engine-access/test-ca';
import { SystemClock, SystemRandomness } from '#kernel';
import { newAnchorDirectory } from '#testkit/platform/new-anchor-directory';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { type Standalone, startStandalone } from '../src/start.js';

/** The paths that a proxy passes on at each address, as deploy/production/nginx.conf has them. */
const PASSED = {
  id: /^\/(?!phone|portal|admin|livez|readyz|metrics)/,
  phone: /^\/phone/,
  portal: /^\/(portal|admin)/,
} as const;

let directory: string;
let anchors: string;
let ca: TestCa;
let pem: string;
let proxies: readonly Server[];
let environment: Record<string, string>;
let service: Standalone;
let passed: Record<keyof typeof PASSED, RegExp>;
/** What the proxy sends as X-Forwarded-For: a text, nothing, or what the caller has sent. */
let forwarded: { readonly value: string | undefined } | 'as sent';

/** A proxy that ends TLS for one origin: another port of this machine. */
const proxyFor = async (name: keyof typeof PASSED, port: number): Promise<Server> => {
  const { certFile, keyFile } = await ca.issue('proxy');
  const tls = { cert: await readFile(certFile), key: await readFile(keyFile) };
  const server = createServer(tls, (request, response) => pass(name, port, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const pass = (name: keyof typeof PASSED, port: number, request: IncomingMessage, response: ServerResponse): void => {
  const path = request.url ?? '/';
  if (!passed[name].test(path)) {
    response.writeHead(404).end('{"errorCode":"not_found"}');
    return;
  }
  const { 'x-forwarded-for': sent, ...others } = request.headers;
  const value = forwarded === 'as sent' ? sent : forwarded.value;
  const headers = { ...others, ...(value !== undefined && { 'x-forwarded-for': value }) };
  request.pipe(
    requestHttp({ host: '127.0.0.1', port, path, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }),
  );
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'));
  ca = await TestCa.make();
  pem = await readFile(ca.file, 'utf8');
  await generateKeyFiles(join(directory, 'keys'), { clock: new SystemClock(), randomness: new SystemRandomness() });
  const port = await reservePort();
  const [id, phone, portal] = (proxies = [await proxyFor('id', port), await proxyFor('phone', port), await proxyFor('portal', port)]).map(
    (server) => `https://localhost:${(server.address() as AddressInfo).port}`,
  );
  environment = {
    ENVIRONMENT: 'production',
    PORT: String(port),
    OPS_PORT: String(await reservePort()),
    BASE_URL: id!,
    LOGIN_URL: `${id}/login`,
    APP_URL: `${phone}/phone`,
    PORTAL_URL: `${portal}/portal`,
    INTERNAL_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: directory,
    FOUR_EYES: 'true',
    ANCHOR_DIR: (anchors = await newAnchorDirectory()),
    LOG_LEVEL: 'silent',
  };
  service = await startStandalone(loadPlatformSettings(environment));
});
afterAll(async () => {
  await service.close();
  for (const server of proxies) server.close();
  await ca[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
  await rm(anchors, { recursive: true });
});
beforeEach(() => {
  passed = { ...PASSED };
  forwarded = { value: '203.0.113.7:41000' };
});

/** Certificates of the test CA are valid for a day only. */
const problems = async (more: Record<string, string> = {}): Promise<readonly string[]> =>
  (await examine({ ...environment, ...more }, { ca: pem })).flatMap(({ problem }) =>
    problem === undefined || /the certificate expires on/.test(problem) ? [] : [problem],
  );

describe('the doctor of a running installation', () => {
  it('finds nothing where the proxy is set up as deploy/production has it, and says that the service runs', async () => {
    expect(await problems()).toEqual([]);
    expect(await examine(environment, { ca: pem })).toEqual(
      expect.arrayContaining([
        { subject: 'PORT', note: 'the service runs' },
        { subject: 'OPS_PORT', note: 'the service runs' },
        { subject: 'the running service' },
        { subject: 'TRUSTED_PROXIES' },
        { subject: 'PORTAL_URL, apart from the others' },
      ]),
    );
  });

  it('names all that the origins of the phone and the portal answer, where the proxy passes everything on', async () => {
    passed = { id: /./, phone: /./, portal: /./ };
    const shown = await problems();
    expect(
      shown.map((problem) => /^(\w+): its origin answers (.*) too, under (\S+)\. Let the proxy answer 404 there\.$/.exec(problem)?.slice(1)),
    ).toEqual([
      ['APP_URL', 'the login page', '/login/'],
      ['APP_URL', 'the portal', '/portal/'],
      ['APP_URL', 'the API of the portal', '/portal/v1/session'],
      ['APP_URL', 'the API of relying parties', '/relying-party/v1/session'],
      ['APP_URL', 'the API of the login page', '/login-ui/v1/session'],
      ['APP_URL', 'the API of the staff', '/admin/v1/clients'],
      ['PORTAL_URL', 'the login page', '/login/'],
      ['PORTAL_URL', 'the web phone', '/phone/'],
      ['PORTAL_URL', 'the API of relying parties', '/relying-party/v1/session'],
      ['PORTAL_URL', 'the API of the login page', '/login-ui/v1/session'],
      ['PORTAL_URL', 'the API of the phones', '/app/v1/session/pending'],
      ...['BASE_URL', 'LOGIN_URL'].flatMap((setting) => [
        [setting, 'the web phone', '/phone/'],
        [setting, 'the portal', '/portal/'],
        [setting, 'the API of the portal', '/portal/v1/session'],
      ]),
    ]);
  });

  const ELSE = /^TRUSTED_PROXIES: A proxy of TRUSTED_PROXIES names its callers by something else .* Let it write the address\.$/;

  it.each<[string, typeof forwarded, RegExp]>([
    ['no X-Forwarded-For', { value: undefined }, /^TRUSTED_PROXIES: A proxy of TRUSTED_PROXIES sends no X-Forwarded-For: .* Let it set/],
    ['what the caller claims, such as the doctor', 'as sent', ELSE],
    ['something else than an address', { value: 'unknown' }, ELSE],
  ])('says when the proxy sends %s, as readiness does', async (_, value, expected) => {
    forwarded = value;
    expect(await problems()).toContainEqual(expect.stringMatching(expected));
    const answer = await fetch(`http://127.0.0.1:${environment['OPS_PORT']}/readyz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'ready',
      warnings: expect.arrayContaining([expect.stringMatching(/^A proxy of TRUSTED_PROXIES/)]),
    });
  });

  it('names a setting that a guarded start would refuse, although the service still runs with another one', async () => {
    expect(await problems({ PUSH_LIMIT: '1000000000' })).toEqual([expect.stringMatching(/^PUSH_LIMIT must be from 1 to 20, .* Set PUSH_LIMIT/)]);
  });
});
