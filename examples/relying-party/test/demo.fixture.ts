import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { Phone, qrPayload } from '#clients/software-phone';
import { createPlainApp, serve } from '#service/http';
import type { Platform } from '#service/platform';
import { testPlatform } from '#testkit/platform/test-platform';
import { RelyingPartyClient } from '#clients/relying-party';

import { createDeviceApiApp } from '../../../apps/device-api/src/app.js';
import { createLoginBffApp } from '../../../apps/login-bff/src/app.js';
import { createSessionApiApp } from '../../../apps/session-api/src/app.js';
import { createSigningApp } from '../../../apps/signing/src/app.js';
import { buildDemo, type DemoOptions } from '../src/index.js';
import { Browser, type PageAnswer } from './browser.js';

export const ORIGIN = 'http://localhost:4001';
export const PIN = '1470';

const MARI = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '48001010001', dateOfBirth: '1980-01-01', country: 'EE' };
const ANNA = { givenName: 'Anna', familyName: 'Kalniņa', personalCode: '120228-20003', dateOfBirth: '2012-02-28', country: 'LV' };

const PREFIXES = [
  [createSessionApiApp, ['/relying-party']],
  [createLoginBffApp, ['/login-ui', '/login']],
  [createDeviceApiApp, ['/app', '/phone']],
  [createSigningApp, ['/pki']],
] as const;

/** The login service, the demo, and two people with their phones. */
export const demoFixture = async (changes: Partial<DemoOptions> = {}) => {
  const platform = await testPlatform();
  const service = await startService(platform);
  const { registerClient } = platform.useCases.relyingParties();
  const origin = changes.origin ?? ORIGIN;
  const { clientId, clientSecret } = await registerClient.execute({
    name: 'Harbour Library',
    redirectUris: [`${origin}/callback`],
    allowedAttributes: ['name', 'dateOfBirth', 'country', 'email'],
    allowedPredicates: ['ageOver18', 'ageOver21'],
    dynamicQr: false,
  });
  const log: string[] = [];
  const note = (message: string, fields?: object): void => void log.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const options: DemoOptions = {
    origin,
    clientId,
    clientSecret: clientSecret.reveal(),
    service: { baseUrl: service.baseUrl, loginUrl: `${service.baseUrl}/login`, appScheme: 'countersign', appUrl: `${service.baseUrl}/phone` },
    now: () => platform.clock.now(),
    log: { info: note, warn: note, error: (message, { error }) => note(message, { error: String(error) }) },
    ...changes,
  };
  const app = await buildDemo(options);
  const identity = { ...platform.useCases.identity(), ...platform.useCases.phones() };
  const enrol = async (person: typeof MARI): Promise<Phone> => {
    const identityId = await identity.registerIdentity.execute(person);
    const { activationCode } = await identity.issueActivationCode.execute(identityId);
    const phone = {
      baseUrl: service.baseUrl,
      activationCode: activationCode.reveal(),
      name: `Phone of ${person.givenName}`,
      platform: 'test',
      pin: PIN,
    };
    return Phone.enrol(phone, { clock: platform.clock });
  };

  return {
    platform,
    options,
    app,
    log,
    mari: await enrol(MARI),
    anna: await enrol(ANNA),
    browser: () => new Browser(app, origin),
    /** The answer of `POST /login-ui/v1/session/…` to the hosted page, which itself is tested with a real browser. */
    hostedPage: (loginPage: string) => hostedPage(service.baseUrl, new URL(loginPage).searchParams.get('t') ?? ''),
    /** Waits for a signature, as the hosted page does. */
    untilCompleted: (sessionId: string) =>
      new RelyingPartyClient({ baseUrl: service.baseUrl, clientId, clientSecret: options.clientSecret }).waitUntilSettled(sessionId),
    close: async () => {
      platform.stop();
      await app.close();
      await service.close();
      await platform.close();
    },
  };
};

export type DemoFixture = Awaited<ReturnType<typeof demoFixture>>;

const startService = async (platform: Platform) => {
  const apps: NestFastifyApplication[] = [];
  const mounts = [];
  for (const [create, prefixes] of PREFIXES) {
    const app = await create(platform);
    apps.push(app);
    mounts.push(...prefixes.map((prefix) => ({ prefix, app })));
  }
  const fallback = createPlainApp();
  const server = await serve({ host: '127.0.0.1', port: 0, mounts, fallback });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await server.close();
      await Promise.all(apps.map((app) => app.close()));
      await fallback.close();
    },
  };
};

const hostedPage = async (baseUrl: string, handoffToken: string) => {
  const headers = { 'x-service-login': '1', 'content-type': 'application/json' };
  const claimed = await fetch(`${baseUrl}/login-ui/v1/session/claim`, { method: 'POST', headers, body: JSON.stringify({ handoffToken }) });
  const { sessionId } = (await claimed.json()) as { sessionId: string };
  const cookie = claimed.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return {
    qr: qrPayload('countersign', sessionId, `${baseUrl}/login/#${sessionId}`),
    complete: async (): Promise<string> => {
      const completed = await fetch(`${baseUrl}/login-ui/v1/session/completion?sessionId=${sessionId}`, {
        method: 'POST',
        headers: { ...headers, cookie },
      });
      return ((await completed.json()) as { redirect: string }).redirect;
    },
  };
};

/** The payload in the same-device link of a waiting page. */
export const linkOn = ({ text }: PageAnswer): string => unescape(/href="([^"]+)" data-open-app/.exec(text)?.[1] ?? '');

export const loginIdOn = ({ text }: PageAnswer): string => /status\?login=([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';

export const sceneOn = ({ text }: PageAnswer): string => /data-scene-shown="([^"]+)"/.exec(text)?.[1] ?? '';

const unescape = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
