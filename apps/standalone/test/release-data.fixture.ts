import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { Phone, type PhoneState } from '#clients/software-phone';
import { sha256Base64url } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { proveEndpoint } from '#testkit/webhook/prove-endpoint';
import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { type Standalone, startStandalone } from '../src/start.js';

const RELEASES = join(import.meta.dirname, '../../../test/vectors/releases');
/** A time in the future, to which the sandbox clock is moved: so a later release starts on sessions and results that are still valid. */
const RECORDED_AT = Date.UTC(2040, 0, 1);
export const PIN = '1470';
const VERIFIER = 'v'.repeat(43);
const REDIRECT_URI = 'https://shop.example/back';

type Body = Record<string, unknown>;

/** What a relying party, a phone and an operator know after the recording. */
export interface Recorded {
  /** Epoch milliseconds of the end of the recording. */
  readonly until: number;
  readonly adminToken: string;
  readonly credentials: string;
  readonly clientId: string;
  readonly endpointId: string;
  readonly identityId: string;
  readonly subjectId: string;
  readonly phone: PhoneState;
  readonly lockedPhone: PhoneState;
  readonly revokedPhone: PhoneState;
  readonly erasedPhone: PhoneState;
  readonly erasedPersonalCode: string;
  /** Pushed to the phone and not yet scanned. */
  readonly pendingSession: string;
  readonly signedSession: string;
  /** SHA-256 of the result's container, base64url. */
  readonly containerHash: string;
}

/** A service over a data directory, and the calls to it. */
export class ServiceOnData {
  private constructor(
    readonly standalone: Standalone,
    private readonly baseUrl: string,
    private readonly adminToken: string,
  ) {}

  /** Starts the service on the directory, its clock at the given epoch milliseconds, with further settings. */
  static async start(directory: string, now: number, more: Readonly<Record<string, string>> = {}): Promise<ServiceOnData> {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'clock.json'), JSON.stringify({ ahead: now - Date.now() }));
    const port = String(await reservePort());
    const settings = { PORT: port, DATA_DIR: directory, DEMO: 'false', LOG_LEVEL: 'silent', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...more };
    const standalone = await startStandalone(loadPlatformSettings(settings));
    return new ServiceOnData(standalone, `http://localhost:${port}`, standalone.platform.adminToken.reveal());
  }

  get origin(): string {
    return this.baseUrl;
  }

  async call(method: string, path: string, authorization: string, body?: object): Promise<{ status: number; body: Body }> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json().catch(() => ({}))) as Body };
  }

  admin(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    return this.call(method, `/admin/v1${path}`, `Bearer ${this.adminToken}`, body);
  }

  /** Begins a login and answers its session's id. */
  login(credentials: string, fields: object = {}): Promise<string> {
    const challenge = { code_challenge: sha256Base64url(VERIFIER), code_challenge_method: 'S256' };
    return this.begin(credentials, { signature_type: 'AUTHENTICATION', redirect_uri: REDIRECT_URI, ...challenge, ...fields });
  }

  async begin(credentials: string, terms: object): Promise<string> {
    const { status, body } = await this.call('POST', '/relying-party/v1/session', credentials, terms);
    if (status !== 200) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
    return body['sessionId'] as string;
  }

  /** The identity that a confirmed login gives its client. */
  async exchange(credentials: string, sessionId: string): Promise<Body> {
    const { body } = await this.call('POST', `/relying-party/v1/session/${sessionId}/completion`, credentials);
    const code = new URL(body['redirect'] as string).searchParams.get('code');
    return (await this.call('POST', '/relying-party/v1/session/token', credentials, { code, code_verifier: VERIFIER })).body;
  }

  async person(personalCode: string): Promise<string> {
    const person = { given_name: 'Mari', family_name: 'Maasikas', personal_code: personalCode, date_of_birth: '1980-01-01', country: 'EE' };
    return (await this.admin('POST', '/identities', person)).body['identityId'] as string;
  }

  async enrol(identityId: string, name: string): Promise<Phone> {
    const { body } = await this.admin('POST', `/identities/${identityId}/activation-codes`);
    const { clock } = this.standalone.platform;
    return Phone.enrol({ baseUrl: this.baseUrl, activationCode: body['activationCode'] as string, name, platform: 'test', pin: PIN }, { clock });
  }

  restore(state: PhoneState): Phone {
    return Phone.restore({ ...state, baseUrl: this.baseUrl }, { clock: this.standalone.platform.clock });
  }
}

/** Unpacks what a release has left into an empty directory. */
export const unpackRelease = async (release: string, directory: string): Promise<Recorded> => {
  execFileSync('tar', ['-xzf', join(RELEASES, release, 'data.tar.gz'), '-C', directory]);
  return JSON.parse(await readFile(join(RELEASES, release, 'known.json'), 'utf8')) as Recorded;
};

/** Lets today's code store most kinds of events in the directory, and keeps the directory as the data of the release. */
export const recordRelease = async (release: string, directory: string): Promise<void> => {
  const service = await ServiceOnData.start(directory, RECORDED_AT);
  const received: string[] = [];
  const proof = new ProvingReceiver();
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      if (!proof.answer(request, body, response)) response.writeHead(received.push(request.url!) === 1 ? 204 : 500).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const admin = service.admin.bind(service);

  const { clientId, clientSecret } = (
    await admin('POST', '/clients', { name: 'Shop', redirect_uris: [REDIRECT_URI], allowed_attributes: ['name'], allowed_predicates: ['ageOver18'] })
  ).body as { clientId: string; clientSecret: string };
  const credentials = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const endpoint = (await admin('POST', `/clients/${clientId}/webhook-endpoints`, { url })).body;
  const endpointId = endpoint['endpointId'] as string;
  const endpoints = `/clients/${clientId}/webhook-endpoints`;
  await proveEndpoint({
    receiver: proof,
    secret: endpoint['secret'] as string,
    ping: () => admin('POST', `${endpoints}/${endpointId}/ping`),
    shown: async () => ((await admin('GET', endpoints)).body['webhookEndpoints'] as Body[])[0] ?? {},
  });
  await admin('POST', `/clients/${clientId}/webhook-endpoints/${endpointId}/rotate-secret`);
  const other = (await admin('POST', '/clients', { name: 'Closed', redirect_uris: [REDIRECT_URI], allowed_attributes: [], allowed_predicates: [] }))
    .body;
  for (const change of ['disable', 'enable']) await admin('POST', `/clients/${other['clientId'] as string}/${change}`);
  await admin('DELETE', `/clients/${other['clientId'] as string}`);

  const identityId = await service.person('48001010001');
  const phone = await service.enrol(identityId, 'Phone');
  const revokedPhone = await service.enrol(identityId, 'Lost phone');
  await admin('DELETE', `/identities/${identityId}/devices/${revokedPhone.deviceId}`);
  const lockedPhone = await service.enrol(await service.person('38001010002'), 'Locked phone');
  for (let session = 0; session < 3; session++) {
    const sessionId = await service.login(credentials);
    await lockedPhone.scan(sessionId);
    for (let tries = 0; tries < 3; tries++) await lockedPhone.confirm('0000');
  }
  const erasedPersonalCode = '38001010003';
  const erased = await service.person(erasedPersonalCode);
  const erasedPhone = await service.enrol(erased, 'Erased phone');

  const first = await service.login(credentials);
  await phone.scan(first);
  await phone.confirm(PIN);
  const subjectId = (await service.exchange(credentials, first))['subjectId'] as string;
  const last = await service.login(credentials);
  await erasedPhone.scan(last);
  await erasedPhone.confirm(PIN);
  await service.exchange(credentials, last);
  const declined = await service.login(credentials);
  await phone.scan(declined);
  await phone.decline('DECLINED');
  const signedData = { signed_data_hash: '0a'.repeat(64), signed_data_name: 'contract.txt', title: 'The contract' };
  const signedSession = await service.begin(credentials, { signature_type: 'SIGNING', ...signedData });
  await phone.scan(signedSession);
  await phone.confirm(PIN);
  const result = () => service.call('GET', `/relying-party/v1/session/${signedSession}/result`, credentials);
  await eventually(async () => (await result()).status === 200, { what: 'a result', within: 60_000 });
  const containerHash = sha256Base64url((await result()).body['container'] as string);
  await admin('DELETE', `/identities/${erased}`);
  await eventually(async () => received.length >= 3, { what: 'three webhooks', within: 60_000 });
  const deliveries = `/clients/${clientId}/webhook-endpoints/${endpointId}/deliveries`;
  const delivered = async () =>
    ((await admin('GET', deliveries)).body['deliveries'] as Body[]).find(({ state, type }) => state === 'succeeded' && type !== 'endpoint.ping');
  await eventually(async () => (await delivered()) !== undefined, { what: 'a delivered webhook', within: 60_000 });
  await admin('POST', `${deliveries}/${(await delivered())!['deliveryId'] as string}/retry`);
  await admin('PATCH', `/clients/${clientId}`, { name: 'Corner shop' });
  const pendingSession = await service.login(credentials, { subject_id: subjectId, push: true });

  const known: Recorded = {
    until: service.standalone.platform.clock.now(),
    adminToken: service.standalone.platform.adminToken.reveal(),
    ...{ credentials, clientId, endpointId, identityId, subjectId, erasedPersonalCode, pendingSession, signedSession, containerHash },
    ...{ phone: phone.toJSON(), lockedPhone: lockedPhone.toJSON(), revokedPhone: revokedPhone.toJSON(), erasedPhone: erasedPhone.toJSON() },
  };
  await service.standalone.close();
  receiver.close();
  await mkdir(join(RELEASES, release), { recursive: true });
  execFileSync('tar', ['-czf', join(RELEASES, release, 'data.tar.gz'), '-C', directory, '.']);
  await writeFile(join(RELEASES, release, 'known.json'), `${JSON.stringify(known, undefined, 2)}\n`);
};
