import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { generateKeyFiles, loadPlatformSettings, type PlatformSettings } from '#service/config';
import { DeviceConnection, newPhoneKeys, Phone } from '#clients/software-phone';
import { sha256Base64url, SystemClock, SystemRandomness } from '#kernel';
import { newAnchorDirectory } from '#testkit/platform/new-anchor-directory';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { banner } from '../src/banner.js';
import { type Standalone, startStandalone } from '../src/start.js';

/*
 * A guarded environment as docs/operator.md sets it up: keys of its own, https addresses, and a proxy in front that ends TLS. The
 * tests speak to the service where the proxy would, on loopback.
 */
const ADMIN_TOKEN = randomBytes(32).toString('base64url');
const REDIRECT_URI = 'https://shop.example/callback';
const PERSON = { given_name: 'Mari', family_name: 'Maasikas', date_of_birth: '1971-01-01', country: 'EE' };
const PIN_PROOF = randomBytes(32).toString('base64url');

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

let directory: string;
let anchors: string;
let service: Standalone;
let origin: string;
let authorization: string;

const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = { authorization }): Promise<Answer> => {
  const content = body && { 'content-type': 'application/json' };
  const answer = await fetch(origin + path, { method, headers: { ...headers, ...content }, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
};
const administer = (path: string, body: object): Promise<Answer> => ask('POST', `/admin/v1${path}`, body, { authorization: `Bearer ${ADMIN_TOKEN}` });

const newActivationCode = async (personalCode: string): Promise<string> => {
  const { identityId } = (await administer('/identities', { ...PERSON, personal_code: personalCode })).json;
  return (await administer(`/identities/${identityId as string}/activation-codes`, {})).json['activationCode'] as string;
};

const settingsFor = async (own: Record<string, string>): Promise<PlatformSettings> =>
  loadPlatformSettings({
    ENVIRONMENT: 'production',
    PORT: String(await reservePort()),
    BASE_URL: 'https://id.example',
    LOGIN_URL: 'https://id.example/login',
    APP_URL: 'https://phone.example',
    PORTAL_URL: 'https://portal.example/portal',
    FOUR_EYES: 'false',
    ANCHOR_DIR: await mkdtemp(join(anchors, 'checkpoints-')),
    KEY_DIR: join(directory, 'keys'),
    ADMIN_TOKEN,
    LOG_LEVEL: 'silent',
    ...own,
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'production-'));
  anchors = await newAnchorDirectory();
  await generateKeyFiles(join(directory, 'keys'), { clock: new SystemClock(), randomness: new SystemRandomness() });
  const settings = await settingsFor({ DATA_DIR: directory });
  service = await startStandalone(settings);
  origin = `http://127.0.0.1:${settings.port}`;
  const terms = { name: 'Shop', redirectUris: [REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
  const { clientId, clientSecret } = await service.platform.useCases.relyingParties().registerClient.execute(terms);
  authorization = `Basic ${btoa(`${clientId}:${clientSecret.reveal()}`)}`;
});

afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true });
  await rm(anchors, { recursive: true });
});

describe('a service in a guarded environment without a certificate authority', () => {
  it('is ready, and makes no key, no sandbox and no demo', async () => {
    expect((await ask('GET', '/readyz')).status).toBe(200);
    expect((await readdir(join(directory, 'keys'))).sort()).toEqual([
      'checkpoint.json',
      'data.json',
      'event.json',
      'index.json',
      'openid.json',
      'pin.json',
      'subject.json',
      'token.json',
    ]);
    expect((await ask('POST', '/sandbox/v1/phones', {})).status).toBe(404);
    expect(service.demo).toBeUndefined();
  });

  it('shows no metrics on the public port, and keeps browsers to https', async () => {
    const answer = await fetch(`${origin}/metrics`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it.each(['/docs', '/docs/', '/docs/assets/mark.svg', '/guide', '/guide/', '/guide/webhooks', '/openapi.json', '/openapi.admin.json'])(
    'does not show %s on the public port',
    async (path) => {
      expect((await fetch(origin + path, { redirect: 'manual' })).status).toBe(404);
    },
  );

  it('shows documents and metrics on OPS_PORT, to which no public page leads', async () => {
    const opsPort = await reservePort();
    const settings = await settingsFor({ DATA_DIR: join(directory, 'other'), OPS_PORT: String(opsPort), APP_URL: 'https://phone.example/phone' });
    const other = await startStandalone(settings);
    const [front, operations] = [`http://127.0.0.1:${settings.port}`, `http://127.0.0.1:${opsPort}`];
    const statuses = (at: string, paths: readonly string[]) => Promise.all(paths.map(async (path) => (await fetch(`${at}/${path}`)).status));
    try {
      const paths = ['docs/', 'guide/', 'openapi.json', 'openapi.admin.json', 'metrics', 'readyz'];
      expect([await statuses(operations, paths), await statuses(front, paths)]).toEqual([Array(6).fill(200), Array(6).fill(404)]);
      const places = await (await fetch(front)).json();
      expect(places).toEqual({ name: 'Countersign', environment: 'production', phone: 'https://phone.example/phone', portal: expect.any(String) });
      const welcome = await (await fetch(front, { headers: { accept: 'text/html' } })).text();
      expect(welcome).not.toMatch(/docs|guide|openapi/);
      const assets = [...welcome.matchAll(/(?:href|src)="(welcome\/[^"]+)"/g)].map(([, asset = '']) => asset);
      expect(await statuses(front, assets)).toEqual([200, 200, 200]);
    } finally {
      await other.close();
    }
  });

  it('lets the admin token do nothing but lead to the first administrators', async () => {
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    for (const [method, path] of [
      ['GET', '/clients'],
      ['POST', '/clients'],
      ['GET', '/audit'],
      ['POST', '/admin-tokens'],
    ] as const)
      expect([path, (await ask(method, `/admin/v1${path}`, undefined, admin)).status]).toEqual([path, 403]);
    expect((await administer('/invitations', { label: 'night-shift', roles: ['operator'] })).status).toBe(403);
    expect((await administer('/invitations', { label: 'security-desk', roles: ['security'] })).status).toBe(201);
  });

  it('prints no credential at start', () => {
    expect(banner(service)).toContain('https://id.example');
    expect(banner(service)).not.toContain('/docs');
    expect(banner(service)).not.toContain(ADMIN_TOKEN);
  });

  it('enrols a phone without signing_csr and logs its person in', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const body = { activation_code: await newActivationCode('47101010033'), name: 'Phone', platform: 'test', pin_proof: PIN_PROOF };
    const enrolled = await new DeviceConnection({ baseUrl: origin, key }).call<Record<string, string>>('POST', '/app/v1/device', body);
    expect(enrolled.body).toEqual({ deviceId: expect.any(String), name: 'Phone' });

    const phone = new DeviceConnection({ baseUrl: origin, key, deviceId: (enrolled.body as { deviceId: string }).deviceId });
    const verifier = randomBytes(32).toString('base64url');
    const login = { signature_type: 'AUTHENTICATION', redirect_uri: REDIRECT_URI, state: 'x', code_challenge: sha256Base64url(verifier) };
    const created = await ask('POST', '/relying-party/v1/session', { ...login, code_challenge_method: 'S256' });
    const session = `session/${created.json['sessionId'] as string}`;
    const scanned = await phone.call<{ toBeSigned: string }>('POST', `/app/v1/${session}/scan`, {});
    const toBeSigned = Buffer.from((scanned.body as { toBeSigned: string }).toBeSigned, 'base64');
    const signature = sign('sha256', toBeSigned, { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
    expect(await phone.call('POST', `/app/v1/${session}/confirm`, { pin_proof: PIN_PROOF, signature })).toMatchObject({ ok: true });

    const { redirect } = (await ask('POST', `/relying-party/v1/${session}/completion`)).json;
    const code = new URL(redirect as string).searchParams.get('code');
    const token = await ask('POST', '/relying-party/v1/session/token', { code, code_verifier: verifier });
    expect(token).toMatchObject({ status: 200, json: { subjectId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  it('enrols a phone that sends a signing_csr too, and answers no certificate', async () => {
    const keys = await newPhoneKeys(new SystemRandomness());
    const activationCode = await newActivationCode('47101010034');
    const phone = await Phone.enrol({ baseUrl: origin, keys, activationCode, name: 'Phone', platform: 'test', pin: '1234' });
    expect([phone.signingCertificate, phone.certificateChain]).toEqual([undefined, undefined]);
  });

  it.each([
    ['POST session with SIGNING', '/relying-party/v1/session', { signature_type: 'SIGNING', signed_data_hash: 'ab'.repeat(64) }],
    [
      'create-signing-request',
      '/relying-party/v1/create-signing-request',
      { subject_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', signed_data_hash: 'ab'.repeat(64) },
    ],
  ])('refuses %s with 400 invalid_request and says that it signs nothing', async (_, path, body) => {
    const { status, json } = await ask('POST', path, body);
    expect({ status, errorCode: json['errorCode'] }).toEqual({ status: 400, errorCode: 'invalid_request' });
    expect(json['defaultTranslation']).toContain('signs nothing');
  });

  it.each(['/pki/root.cer', '/pki/issuing.cer', '/pki/root.crl', '/pki/ocsp/AA'])('has no %s', async (path) => {
    expect((await ask('GET', path)).status).toBe(404);
  });
});
