import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { Phone } from '#clients/software-phone';

import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

export const PIN = '1470';
export const DATA = Buffer.from('The contract, in full.\n');
export const HASH = createHash('sha512').update(DATA).digest('hex');
const SIGNING = { signature_type: 'SIGNING', signed_data_hash: HASH.toUpperCase(), signed_data_name: 'contract.txt', title: 'The contract' };

export type Body = Record<string, unknown>;

export let directory: string;
export let service: Standalone;
export let baseUrl: string;
let credentials: string;
export let identityId: string;
export let phone: Phone;

export const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json().catch(() => ({}))) as Body };
};
export const client = (method: string, path: string, body?: object) =>
  send(method, `/relying-party/v1/session${path}`, body, { authorization: `Basic ${credentials}` });
export const admin = (method: string, path: string, body?: object) =>
  send(method, `/admin/v1${path}`, body, { authorization: `Bearer ${service.platform.adminToken.reveal()}` });
export const sandbox = (path: string, body: object) => send('POST', `/sandbox/v1${path}`, body);

export const begin = async (changes: object = {}): Promise<string> =>
  (await client('POST', '', { ...SIGNING, ...changes })).body['sessionId'] as string;
/** The status of the session as soon as it is later than the given one. */
export const after = async (sessionId: string, since: string): Promise<string> => {
  const answer = await send('GET', `/relying-party/v1/session/${sessionId}/status?since=${since}`, undefined, {
    authorization: `Basic ${credentials}`,
    prefer: 'wait=20',
  });
  return answer.body['status'] as string;
};
export const enrol = async (keyType: 'P-256' | 'P-384' | 'RSA-3072' = 'P-256', owner = identityId): Promise<Phone> => {
  const { body } = await admin('POST', `/identities/${owner}/activation-codes`);
  return Phone.enrol(
    { baseUrl, activationCode: body['activationCode'] as string, name: keyType, platform: 'test', pin: PIN, keyType },
    { clock: service.platform.clock },
  );
};
export const register = async (personal_code: string): Promise<string> => {
  const person = { given_name: 'Mari', family_name: 'Maasikas', personal_code, date_of_birth: '1980-01-01', country: 'EE' };
  return (await admin('POST', '/identities', person)).body['identityId'] as string;
};
export const sign = async (by: Phone, changes: object = {}): Promise<string> => {
  const sessionId = await begin(changes);
  await by.scan(sessionId);
  await by.confirm(PIN);
  return sessionId;
};

/** The tests of the file share a service, a client, and a person with a phone. */
export const useSigningService = (): void => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'signing-'));
    const port = await reservePort();
    service = await startStandalone(loadPlatformSettings({ PORT: String(port), DATA_DIR: directory, DEMO: 'false', LOG_LEVEL: 'silent' }));
    baseUrl = `http://localhost:${port}`;
    const { body } = await admin('POST', '/clients', {
      name: 'Notary',
      redirect_uris: ['https://rp.example/signed?x=1'],
      allowed_attributes: [],
      allowed_predicates: [],
    });
    credentials = btoa(`${body['clientId']}:${body['clientSecret']}`);
    identityId = await register('48001010001');
    phone = await enrol();
  });

  afterAll(async () => {
    await service.close();
    await rm(directory, { recursive: true });
  });
};
