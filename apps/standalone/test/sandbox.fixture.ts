import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { qrPayload } from '#clients/software-phone';
import { sha256Base64url } from '#kernel';

import { type Standalone, type StandaloneOptions, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

export let directory: string;
export let base: string;
export let standalone: Standalone;

let options: StandaloneOptions;

const start = async (port: string, settings: Readonly<Record<string, string>> = {}): Promise<Standalone> => {
  const own = { PORT: port, DEMO_PORT: String(await reservePort()), DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent' };
  return startStandalone(loadPlatformSettings({ ...own, ...settings }), options);
};

/** Starts the process again on the same data. */
export const restart = async (settings?: Readonly<Record<string, string>>): Promise<void> => {
  standalone = await start(new URL(base).port, settings);
};

/** The tests of the file share a service with its sandbox. */
export const useSandbox = (given: StandaloneOptions = {}): void => {
  options = given;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const port = String(await reservePort());
    base = `http://127.0.0.1:${port}`;
    standalone = await start(port);
  });

  afterAll(async () => {
    await standalone.close();
    await rm(directory, { recursive: true });
  });
};

/** The fields that these tests read; an answer has some of them. */
export interface Body {
  readonly phoneId: string;
  readonly identity: { readonly personalCode: string };
  readonly status: string;
  readonly scanned: { readonly requested?: unknown; readonly toBeSigned: string };
  readonly sessionId: string;
  readonly redirect: string;
  readonly subjectId: string;
  readonly attributes: object;
  readonly predicates: object;
  readonly now: number;
  readonly errorCode: string;
  readonly defaultTranslation: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
};

export const basic = (): Record<string, string> => {
  const { clientId, clientSecret } = standalone.demo ?? { clientId: '', clientSecret: '' };
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
};

export const newSession = async (fields: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await post(
    '/relying-party/v1/session',
    {
      redirect_uri: standalone.demo?.redirectUri,
      signature_type: 'AUTHENTICATION',
      code_challenge: sha256Base64url(VERIFIER),
      code_challenge_method: 'S256',
      ...fields,
    },
    basic(),
  );
  return body.sessionId;
};

export const statusOf = async (sessionId: string): Promise<string> => {
  const response = await fetch(`${base}/relying-party/v1/session/${sessionId}/status`, { headers: basic() });
  return ((await response.json()) as { status: string }).status;
};

export const newPhone = async (persona: string, more: object = {}): Promise<string> =>
  (await post('/sandbox/v1/phones', { persona, ...more })).body.phoneId;

export const qrOf = (sessionId: string): string => qrPayload('countersign', sessionId, 'http://127.0.0.1/waiting');

export const scan = (phoneId: string, qr: string): Promise<Answer> => post(`/sandbox/v1/phones/${phoneId}/scan`, { qr });

export const tokenOf = async (sessionId: string): Promise<Answer> => {
  const { body } = await post(`/relying-party/v1/session/${sessionId}/completion`, {}, basic());
  const code = new URL(body.redirect).searchParams.get('code');
  return post('/relying-party/v1/session/token', { code, code_verifier: VERIFIER }, basic());
};
