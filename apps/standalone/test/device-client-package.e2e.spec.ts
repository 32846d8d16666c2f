import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { eventually } from '#testkit/kernel/eventually';
import { qrPayload } from '#clients/software-phone';

import { ServiceOnData } from './release-data.fixture.js';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const REDIRECT_URI = 'https://shop.example/back';

/** What an app does, by the installed package alone. It is compiled against the types of the package, with nothing of Node. */
const APP = `
import {
  approve, certificationRequest, checkRequest, Enrolment, makeDeviceKeys, PhoneApi, readScanUri, ServerClock, toBase64, type Reply,
} from '@countersign/device';

const body = <Body>(reply: Reply<Body>): Body => {
  if (reply.kind !== 'OK') throw new Error(JSON.stringify(reply));
  return reply.body;
};

export const useApp = async (baseUrl: string, code: string, pin: string, texts: readonly string[]): Promise<object> => {
  const clock = new ServerClock();
  const now = () => clock.now();
  const api = new PhoneApi(baseUrl, clock);
  const enrolment = new Enrolment({ api, makeKeys: makeDeviceKeys, describe: { name: 'Reference', platform: 'test' }, now });
  const holder = body(await enrolment.holder(code));
  const device = body(await enrolment.enrol(code, pin, holder));
  const prover = { deviceId: device.deviceId, key: device.keys.authentication };
  const replies: object[] = [];
  for (const text of texts) {
    const link = readScanUri(text, 'countersign');
    if (link === undefined) throw new Error('no link of the service');
    const { relyingPartyName, ...preview } = body(await api.preview(prover, link));
    const request = body(await api.scan(prover, { ...link, ...preview }));
    const checked = await checkRequest(request, device, now());
    const altered = await checkRequest({ ...request, relyingPartyName: 'Bank' }, device, now());
    if (checked === undefined || altered !== undefined) throw new Error('the check of the request is wrong');
    const wrong = await approve(api, device, { request, pin: '0000', checked });
    replies.push({ relyingPartyName, wrong, right: await approve(api, device, { request, pin, checked }) });
  }
  const keys = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'AA', auth: 'AA' } };
  return {
    holder,
    replies,
    status: body(await api.device(prover)).status,
    devices: body(await api.devices(prover)).map(({ name, current }) => ({ name, current })),
    pushes: [await api.takePushes(prover, keys), await api.endPushes(prover)],
    certificate: body(await api.renewCertificate(prover, toBase64(await certificationRequest(device.keys.signing, 'Reference')))).signingCertificate === device.signingCertificate,
  };
};
`;

const START = `
import { useApp } from './app.js';
const [baseUrl, code, pin, ...texts] = process.argv.slice(2);
console.log(JSON.stringify(await useApp(baseUrl, code, pin, texts)));
`;

const run = promisify(execFile);

let service: ServiceOnData;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'device-client-'));
  service = await ServiceOnData.start(join(folder, 'data'), Date.now() + 3_600_000);
  const here = { cwd: folder };
  const { stdout } = await run('npm', ['pack', join(REPOSITORY, 'libs/clients/device'), '--silent', '--ignore-scripts=false'], here);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${stdout.trim()}`], here);
  const compilerOptions = { module: 'nodenext', target: 'es2023', types: [], strict: true, exactOptionalPropertyTypes: true };
  await writeFile(join(folder, 'app.ts'), APP);
  await writeFile(join(folder, 'start.js'), START);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  await run(process.execPath, [join(REPOSITORY, 'node_modules/typescript7/bin/tsc'), '-p', '.'], here);
});

afterAll(async () => {
  await service.standalone.close();
  await rm(folder, { recursive: true, force: true });
});

it('installs without any other package', async () => {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@countersign/device']);
});

it('enrols, corrects its clock, confirms a login and signs a document after a wrong PIN each', async () => {
  const shop = { name: 'Shop', redirect_uris: [REDIRECT_URI], allowed_attributes: ['name'], allowed_predicates: [] };
  const { clientId, clientSecret } = (await service.admin('POST', '/clients', shop)).body as { clientId: string; clientSecret: string };
  const credentials = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const login = await service.login(credentials, { title: 'Log in' });
  const signedData = { signed_data_hash: '0a'.repeat(64), signed_data_name: 'contract õ.txt', title: 'The contract' };
  const signing = await service.begin(credentials, { signature_type: 'SIGNING', ...signedData });
  const identityId = await service.person('48001010001');
  const { activationCode } = (await service.admin('POST', `/identities/${identityId}/activation-codes`)).body;

  const texts = [login, signing].map((sessionId) => qrPayload('countersign', sessionId, 'https://shop.example/wait'));
  const { stdout } = await run(process.execPath, ['start.js', service.origin, String(activationCode), '2580', ...texts], { cwd: folder });
  const wrong = { kind: 'REFUSED', status: 403, errorCode: 'wrong_pin', payload: { attemptsLeft: 2 } };
  expect(JSON.parse(stdout)).toEqual({
    holder: 'Mari Maasikas',
    replies: [
      { relyingPartyName: 'Shop', wrong, right: { kind: 'OK', body: {} } },
      { relyingPartyName: 'Shop', wrong, right: { kind: 'OK', body: {} } },
    ],
    status: 'ACTIVE',
    devices: [{ name: 'Reference', current: true }],
    pushes: [
      { kind: 'REFUSED', status: 400, errorCode: 'invalid_request', payload: null },
      { kind: 'OK', body: true },
    ],
    certificate: true,
  });
  expect(await service.exchange(credentials, login)).toMatchObject({ subjectId: expect.any(String) });
  const result = () => service.call('GET', `/relying-party/v1/session/${signing}/result`, credentials);
  await eventually(async () => (await result()).status === 200, { what: 'a container', within: 60_000 });
});
