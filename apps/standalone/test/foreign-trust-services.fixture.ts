import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach } from '@jest/globals';

import { verifyContainer } from '#signatures/asic';
import { loadPlatformSettings } from '#service/config';
import { Phone } from '#clients/software-phone';
import { type ClientId, type EndpointId, SystemClock, SystemRandomness } from '#kernel';
import { answerOcsp, answerTimeStamp, Certificate, type DevelopmentPki, issueRootCrl, openDevelopmentPki } from '#signatures/pki';
import { startPeer } from '#testkit/pki/peer';
import { testCrl } from '#testkit/pki/test-crl';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { type Standalone, startStandalone } from '../src/start.js';

const PIN = '1470';
export const HASH = createHash('sha512').update('The contract, in full.\n').digest('hex');

/** A time-stamping authority of another house, with a root, a list of revoked certificates and an address of its own. */
export interface ForeignAuthority extends AsyncDisposable {
  readonly url: string;
  /** The address of the issuing authority's list. */
  readonly issuingList: string;
  readonly rootFile: string;
  readonly pki: DevelopmentPki;
  /** The number of time-stamps bought. */
  stamps: number;
  /** The paths that were asked for. */
  readonly paths: Set<string>;
  /** The headers of the requests for time-stamps. */
  readonly headers: IncomingHttpHeaders[];
  /** Requests for time-stamps that are still to fail. */
  stampFailures: number;
  /** Requests for the list of revoked certificates that are still to fail. */
  listFailures: number;
}

let directory: string;

/** Each test of the file gets a folder of its own. */
export const useFolder = (): void => {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'foreign-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
};

const CLOSED = { type: 'text/plain', status: 503, body: Buffer.from('closed') };

export const startForeignAuthority = async (): Promise<ForeignAuthority> => {
  const randomness = new SystemRandomness();
  const clock = new SystemClock();
  const peer = await startPeer(async (body, { url = '', headers }) => {
    authority.paths.add(url);
    if (url === '/pki/ocsp') {
      const lookUp = async () => ({ status: 'good' }) as const;
      return { type: 'application/ocsp-response', body: await answerOcsp(body, { pki, now: clock.now(), lookUp }) };
    }
    if (url === '/tsa') {
      authority.headers.push(headers);
      if (authority.stampFailures > 0) {
        authority.stampFailures -= 1;
        return CLOSED;
      }
      authority.stamps += 1;
      return { type: 'application/timestamp-reply', body: answerTimeStamp(body, { unit: pki.timestamping, now: clock.now(), randomness }) };
    }
    if (authority.listFailures > 0) {
      authority.listFailures -= 1;
      return CLOSED;
    }
    const now = clock.now();
    return {
      type: 'application/pkix-crl',
      body: url === '/pki/issuing.crl' ? testCrl({ signer: pki.issuing, now }) : issueRootCrl(pki.root, now),
    };
  });
  const baseUrl = peer.url.replace(/\/$/, '');
  const rootFile = join(directory, 'foreign-root.pem');
  const pki = await openDevelopmentPki({ keyDirectory: join(directory, 'foreign'), baseUrl, guarded: false, clock, randomness });
  const authority: ForeignAuthority = {
    pki,
    url: `${baseUrl}/tsa`,
    issuingList: `${baseUrl}/pki/issuing.crl`,
    rootFile,
    stamps: 0,
    paths: new Set(),
    headers: [],
    stampFailures: 0,
    listFailures: 0,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
  await writeFile(rootFile, Certificate.parse(pki.root.certificate).pem);
  return authority;
};

/** A responder that says of every certificate of the service under test: revoked. */
export const startRevokingResponder = () =>
  startPeer(async (body) => {
    const clock = new SystemClock();
    const { keyDirectory } = loadPlatformSettings({ DATA_DIR: join(directory, 'data') });
    const pki = await openDevelopmentPki({ keyDirectory, baseUrl: 'http://localhost', guarded: false, clock, randomness: new SystemRandomness() });
    const lookUp = async () => ({ status: 'revoked', at: clock.now() - 1000 }) as const;
    return { type: 'application/ocsp-response', body: await answerOcsp(body, { pki, now: clock.now(), lookUp }) };
  });

export interface Order {
  /** The level that the container must have. Default LT. */
  readonly level?: 'LT' | 'LTA';
  /** A webhook endpoint of the client. */
  readonly webhooks?: string;
  /** Of the request that creates the session. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Runs before the service ends. */
  readonly before?: (service: { readonly baseUrl: string }) => Promise<void>;
}

/** The path of a file or folder of that name, which need not exist. */
export const pathOf = (name: string): string => join(directory, name);

/** The path of a file with that content. */
export const fileWith = async (name: string, content: string): Promise<string> => {
  const path = pathOf(name);
  await writeFile(path, content);
  return path;
};

/** Signs by a service with these settings. Answers how the session ended, and the verdict on its container. */
export const signWith = async (
  settings: (port: number) => Record<string, string>,
  order: Order = {},
): Promise<{ status: string; verdict: string | undefined; sessionId: string }> => {
  const port = await reservePort();
  const environment = { PORT: String(port), DATA_DIR: join(directory, 'data'), DEMO: 'false', LOG_LEVEL: 'silent', ...settings(port) };
  const service: Standalone = await startStandalone(loadPlatformSettings(environment));
  try {
    const baseUrl = `http://localhost:${port}`;
    const signed = await sign(service, baseUrl, order);
    await order.before?.({ baseUrl });
    return signed;
  } finally {
    await service.close();
  }
};

const sign = async ({ platform }: Standalone, baseUrl: string, { webhooks, headers, level = 'LT' }: Order) => {
  const call = async (
    method: string,
    path: string,
    authorization: string,
    body?: object,
    more?: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization, prefer: 'wait=30', ...more, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const admin = `Bearer ${platform.adminToken.reveal()}`;
  const registration = { name: 'Notary', redirect_uris: ['https://rp.example/signed'], allowed_attributes: [], allowed_predicates: [] };
  const { clientId, clientSecret } = await call('POST', '/admin/v1/clients', admin, registration);
  if (webhooks) {
    const terms = { url: webhooks, event_types: ['session.completed'] };
    const { endpointId } = await call('POST', `/admin/v1/clients/${String(clientId)}/webhook-endpoints`, admin, terms);
    await platform.useCases.webhooks().confirmOwnReceiver.execute(clientId as ClientId, endpointId as EndpointId);
  }
  const person = { given_name: 'Mari', family_name: 'Maasikas', personal_code: '48001010001', date_of_birth: '1980-01-01', country: 'EE' };
  const { identityId } = await call('POST', '/admin/v1/identities', admin, person);
  const { activationCode } = await call('POST', `/admin/v1/identities/${String(identityId)}/activation-codes`, admin);
  const phone = await Phone.enrol(
    { baseUrl, activationCode: activationCode as string, name: 'Phone', platform: 'test', pin: PIN, keyType: 'P-256' },
    { clock: platform.clock },
  );
  const client = `Basic ${btoa(`${String(clientId)}:${String(clientSecret)}`)}`;
  const contract = { signature_type: 'SIGNING', signed_data_hash: HASH, signed_data_name: 'contract.txt' };
  const sessionId = String((await call('POST', '/relying-party/v1/session', client, contract, headers))['sessionId']);
  const scan = await phone.scan(sessionId);
  if (!scan.ok) return { status: `${scan.body.errorCode}: ${scan.body.defaultTranslation}`, verdict: undefined, sessionId };
  await phone.confirm(PIN);
  const { status } = await call('GET', `/relying-party/v1/session/${sessionId}/status?since=SCANNED`, client);
  const { container } = await call('GET', `/relying-party/v1/session/${sessionId}/result`, client);
  const { trustStore: trust } = platform.trustServices!;
  const report =
    typeof container === 'string' ? await verifyContainer(Buffer.from(container, 'base64'), { trust, now: platform.clock.now(), level }) : undefined;
  return { status: String(status), verdict: report && `${report.verdict} ${report.subIndication}, ${report.findings.length} findings`, sessionId };
};
