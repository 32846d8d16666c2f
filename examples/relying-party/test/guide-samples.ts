import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import {
  attach,
  CallbackRefused,
  InvalidGrant,
  loginPageUrl,
  type PendingLogin,
  type PendingSigning,
  qrPayload,
  RelyingPartyClient,
  verifyState,
} from '#clients/relying-party';

/** The parts that a web framework gives a relying party: settings, the user's session on the server, and an answer. */
export interface Dependencies {
  readonly settings: {
    readonly origin: string;
    readonly baseUrl: string;
    readonly loginUrl: string;
    readonly appScheme: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  readonly session: { login?: PendingLogin; signing?: PendingSigning; subjectId?: string; regenerate(): void };
  readonly redirect: (url: string) => void;
  readonly fail: (message: string) => void;
}

/** The code of the guide (docs/relying-party), page by page: it shows slices of this file, and a test logs in with it. */
export const withTheSdk = ({ settings, session, redirect, fail }: Dependencies) => {
  const { origin, baseUrl, loginUrl, appScheme, clientId, clientSecret } = settings;

  const client = new RelyingPartyClient({ baseUrl, clientId, clientSecret });

  const startOnHostedPage = async () => {
    const login = await client.beginLogin({ redirectUri: `${origin}/callback`, hostedPage: true });
    session.login = login;
    redirect(loginPageUrl(loginUrl, login.handoffToken));
  };

  const callback = async (query: URLSearchParams) => {
    const { login } = session;
    if (!login) return fail('No login was begun in this browser.');
    try {
      const { subjectId } = await client.finishLogin(login, query);
      session.regenerate();
      session.subjectId = subjectId;
      redirect('/account');
    } catch (error) {
      if (error instanceof CallbackRefused) return fail('This does not belong to your login.');
      if (error instanceof InvalidGrant) return fail('That took too long. Please log in again.');
      throw error;
    }
  };

  const startOnOwnPage = async () => {
    const login = await client.beginLogin({ redirectUri: `${origin}/callback` });
    session.login = login;
    return codeOf(login);
  };

  const codeOf = ({ sessionId, qrFrames: frames }: PendingLogin) => qrPayload({ appScheme, sessionId, returnUrl: `${origin}/waiting`, frames });

  const wait = async ({ sessionId }: PendingLogin, pageClosed: AbortSignal) => {
    const status = await client.waitUntilSettled(sessionId, { signal: pageClosed });
    if (status === 'CONFIRMED') redirect(await client.complete(sessionId));
    if (status === 'CANCELLED') fail('You declined on your phone.');
    if (status === 'EXPIRED') fail('The time is up.');
  };

  const askForMore = async (knownSubjectId: string) => {
    session.login = await client.beginLogin({
      redirectUri: `${origin}/callback`,
      title: 'Renew your library card',
      properties: { attributes: ['name'], predicates: ['ageOver18'] },
      subjectId: knownSubjectId,
      push: true,
    });
  };

  return { startOnHostedPage, callback, startOnOwnPage, wait, askForMore };
};

/** Signatures, with the SDK. */
export const withSignatures = ({ settings, session, redirect, fail }: Dependencies) => {
  const { origin, baseUrl, loginUrl, appScheme, clientId, clientSecret } = settings;
  const client = new RelyingPartyClient({ baseUrl, clientId, clientSecret });

  const startSigning = async (path: string) => {
    const signing = await client.beginSigning({
      data: createReadStream(path),
      name: 'agreement.txt',
      title: 'Reading room agreement',
    });
    session.signing = signing;
    return qrPayload({ appScheme, sessionId: signing.sessionId, returnUrl: `${origin}/signing`, frames: signing.qrFrames });
  };

  const finishSigning = async ({ sessionId }: PendingSigning, path: string) => {
    const status = await client.waitUntilSettled(sessionId);
    if (status === 'CANCELLED') return fail('It was not signed.');
    if (status === 'EXPIRED') return fail('The time is up.');
    const { container, name } = await client.result(sessionId);
    await writeFile(`${path}.asice`, await attach({ container, data: new Uint8Array(await readFile(path)) }));
    return name;
  };

  const startSigningOnHostedPage = async (path: string) => {
    const signing = await client.beginSigning({ data: createReadStream(path), redirectUri: `${origin}/callback` });
    session.signing = signing;
    redirect(loginPageUrl(loginUrl, signing.handoffToken));
  };

  const signingCallback = async (query: URLSearchParams, path: string) => {
    const { signing } = session;
    if (!signing?.state || !verifyState(signing.state, query.get('state'))) return fail('This does not belong to your signature.');
    return finishSigning(signing, path);
  };

  return { startSigning, finishSigning, startSigningOnHostedPage, signingCallback };
};

/** The same with nothing but `fetch`. */
export const withPlainHttp = ({ settings, session, redirect, fail }: Dependencies) => {
  const { origin, baseUrl, appScheme, clientId, clientSecret } = settings;

  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64')}`;

  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/relying-party/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
    });
    if (response.status === 401) throw new Error('client_id or client_secret is wrong');
    const answer = (await response.json()) as Record<string, string>;
    if (!response.ok) throw new Error(`${response.status} ${answer['errorCode']}`);
    return answer;
  };

  const start = async (hostedPage: boolean) => {
    const state = randomBytes(32).toString('base64url');
    const codeVerifier = randomBytes(32).toString('base64url');
    const answer = await call('POST', '/session', {
      signature_type: 'AUTHENTICATION',
      redirect_uri: `${origin}/callback`,
      state,
      code_challenge: createHash('sha256').update(codeVerifier, 'ascii').digest('base64url'),
      code_challenge_method: 'S256',
      hosted_page: hostedPage,
    });
    session.login = { ...(answer as unknown as PendingLogin), state, codeVerifier };
    return { sessionId: answer['sessionId'] ?? '', qrSecret: answer['qrSecret'], begunAt: Date.now() };
  };

  const codeOf = ({ sessionId, qrSecret, begunAt }: Awaited<ReturnType<typeof start>>) => {
    const payload = `${appScheme}://app/scan?sessionId=${sessionId}&returnUrl=${encodeURIComponent(`${origin}/waiting`)}`;
    if (qrSecret === undefined) return payload;
    const t = Math.floor((Date.now() - begunAt) / 1000);
    const key = Buffer.from(qrSecret, 'base64url');
    const a = createHmac('sha256', key).update(`${sessionId}.${t}`).digest('base64url');
    return `${payload}&t=${t}&a=${a}`;
  };

  const wait = async (sessionId: string) => {
    let status = 'PENDING';
    while (status === 'PENDING' || status === 'SCANNED') {
      const path = `/session/${sessionId}/status?since=${status}`;
      ({ status = '' } = await call('GET', path, undefined, { prefer: 'wait=25' }));
    }
    return status;
  };

  const complete = async (sessionId: string) => {
    const { redirect: url = '' } = await call('POST', `/session/${sessionId}/completion`, {});
    redirect(url);
  };

  const callback = async (query: URLSearchParams) => {
    const { login } = session;
    if (!login || !sameText(query.get('state') ?? '', login.state)) return fail('This does not belong to your login.');
    const { subjectId = '' } = await call('POST', '/session/token', {
      code: query.get('code'),
      code_verifier: login.codeVerifier,
    });
    session.regenerate();
    session.subjectId = subjectId;
    redirect('/account');
  };

  const sameText = (left: string, right: string) =>
    Buffer.byteLength(left) === Buffer.byteLength(right) && timingSafeEqual(Buffer.from(left), Buffer.from(right));

  return { start, codeOf, wait, complete, callback };
};
