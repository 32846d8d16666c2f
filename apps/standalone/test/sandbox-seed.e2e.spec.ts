import { RelyingPartyClient } from '#clients/relying-party';

import { PERSONAS } from '../../sandbox/src/phones/personas.js';
import { type Answer, base, post, restart, standalone, useSandbox } from './sandbox.fixture.js';

const REDIRECT_URI = 'http://localhost:5173/callback';

useSandbox({ sandboxRedirectUris: [REDIRECT_URI] });

/** As docs/specification/sandbox.md says. */
const CLIENT = { clientId: '5a4db000-0000-4000-8000-000000000001', clientSecret: 'sandbox-secret-that-only-a-sandbox-accepts' };
const SUBJECT_IDS: Readonly<Record<string, string>> = {
  ok: 'a87ba057-bf4e-8ef6-ad55-49e83b46b0c9',
  minor: '2cbda86b-1335-837f-8d50-e0a211894e48',
  'no-birthdate': 'dafbc813-b9f7-8ecb-a971-379f40d0a839',
  slow: 'fc35a5fc-3b1b-8228-81f8-24730357144b',
};

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const clientOf = (credentials: Credentials): RelyingPartyClient => new RelyingPartyClient({ baseUrl: base, ...credentials });

/** The outcome of the phone, and the subjectId where a login came of it. */
const logIn = async (phoneId: string, client = clientOf(CLIENT), attributes: string[] = []) => {
  const login = await client.beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true, properties: { attributes } });
  const url = `${base.replace('127.0.0.1', 'localhost')}/login/?t=${encodeURIComponent(login.handoffToken)}`;
  const { status, body } = await post(`/sandbox/v1/phones/${phoneId}/login`, { url });
  const result = body.redirect === undefined ? undefined : await client.finishLogin(login, new URL(body.redirect).searchParams);
  return { status, ended: body.status, errorCode: body.errorCode, result };
};

const newClient = (body: object): Promise<Answer & { readonly body: Partial<Credentials> }> => post('/sandbox/v1/clients', body);

describe('the client of every sandbox', () => {
  it('is told to the process that prints it', () => {
    expect(standalone.sandbox).toEqual({ ...CLIENT, redirectUris: [REDIRECT_URI] });
  });

  it.each(['ok', 'minor', 'no-birthdate', 'slow'])('logs in the person of the persona %s, who has a fixed subjectId', async (persona) => {
    const { status, ended, result } = await logIn(persona);
    expect([status, ended, result?.subjectId]).toEqual([200, 'CONFIRMED', SUBJECT_IDS[persona]]);
  });

  it.each(['decline', 'leave', 'wrong-pin'])('gets no login from the persona %s', async (persona) => {
    expect(await logIn(persona)).toEqual({ status: 200, ended: 'CANCELLED', errorCode: undefined, result: undefined });
  });

  it('may ask for every attribute, and gets the same data each time', async () => {
    const attributes = ['givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'];
    expect((await logIn('ok', clientOf(CLIENT), attributes)).result?.attributes).toEqual({
      givenName: 'Sandra',
      familyName: 'Okay',
      personalCode: 'SANDBOX-OK',
      dateOfBirth: '1985-05-12',
      country: 'EE',
      email: 'ok@sandbox.example',
      phoneNumber: '+3725550101',
    });
  });

  it('may bring the request of a login by the browser', async () => {
    const query = new URLSearchParams({
      client_id: CLIENT.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: REDIRECT_URI,
      state: 'here',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { body } = await post('/sandbox/v1/phones/ok/login', { url: `${base.replace('127.0.0.1', 'localhost')}/openid/authorize?${query}` });
    expect(new URL(body.redirect).searchParams.get('state')).toBe('here');
  });
});

describe('the phones of the personas', () => {
  it('are made once, however many ask for them first at the same time', async () => {
    await standalone.close();
    await restart({ DATA_DIR: `${standalone.platform.settings.dataDirectory}-fresh` });
    const logins = await Promise.all(Array.from({ length: 12 }, () => logIn('ok')));
    expect(new Set(logins.map(({ result }) => result?.subjectId))).toEqual(new Set([SUBJECT_IDS['ok']]));
    const listed = await fetch(`${base}/admin/v1/identities/5a4db000-0000-4000-8000-000000000101/devices`, {
      headers: { authorization: `Bearer ${standalone.platform.adminToken.reveal()}` },
    });
    expect(((await listed.json()) as { devices: unknown[] }).devices).toHaveLength(1);
    await standalone.close();
    await restart();
  });

  it('are the same after a restart', async () => {
    await standalone.close();
    await restart();
    expect((await logIn('ok')).result?.subjectId).toBe(SUBJECT_IDS['ok']);
  });

  it('are known by no other name', async () => {
    for (const name of ['OK', 'ok ', 'okay', 'toString', '__proto__', '5a4db000-0000-4000-8000-000000000199'])
      expect([name, (await logIn(encodeURIComponent(name))).errorCode]).toEqual([name, 'phone_not_found']);
  });

  it('answer for each persona', () => {
    expect(Object.keys(SUBJECT_IDS).sort()).toEqual(PERSONAS.filter((persona) => !['decline', 'leave', 'wrong-pin'].includes(persona)).sort());
  });
});

describe('POST /sandbox/v1/clients', () => {
  it('registers a client that logs people in', async () => {
    const { status, body } = await newClient({ redirect_uris: [REDIRECT_URI] });
    expect([status, body]).toEqual([201, { clientId: expect.stringMatching(/^[0-9a-f-]{36}$/), clientSecret: expect.stringMatching(/^[\w-]{43}$/) }]);
    const { result } = await logIn('ok', clientOf(body as Credentials), ['email']);
    expect(result?.attributes).toEqual({ email: 'ok@sandbox.example' });
    expect(result?.subjectId).not.toBe(SUBJECT_IDS['ok']);
  });

  it('registers as many as are wanted at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => newClient({ redirect_uris: [] })));
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(made.map(({ body }) => body.clientId)).size).toBe(20);
  });

  it('takes the settings of a registration', async () => {
    const { body } = await newClient({ redirect_uris: [REDIRECT_URI], allowed_attributes: ['country'], name: 'Shop with few rights' });
    await expect(logIn('ok', clientOf(body as Credentials), ['email'])).rejects.toMatchObject({ errorCode: 'invalid_scope' });
    const again = await newClient({ redirect_uris: [REDIRECT_URI], name: 'Shop with few rights' });
    expect([again.status, again.body.errorCode]).toEqual([409, 'name_taken']);
  });

  it.each([
    ['redirect_uris', {}],
    ['redirectUris', { redirectUris: [REDIRECT_URI] }],
    ['redirect_uris', { redirect_uris: 'http://localhost/' }],
    ['redirect_uris[0]', { redirect_uris: ['http://shop.example/cb'] }],
    ['redirect_uris[0]', { redirect_uris: ['javascript:alert(1)'] }],
    ['name', { redirect_uris: [], name: 'x' }],
    ['allowed_attributes', { redirect_uris: [], allowed_attributes: ['shoeSize'] }],
    ['dynamic_qr', { redirect_uris: [], dynamic_qr: 'yes' }],
    ['jwks_uri', { redirect_uris: [], jwks_uri: 'http://10.0.0.1/keys' }],
    ['client_secret', { redirect_uris: [], client_secret: 'mine' }],
  ])('names the wrong field: %s (%#)', async (field, body) => {
    const answer = await newClient(body);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'invalid_request']);
    expect(answer.body.defaultTranslation).toContain(field);
  });
});

describe('on the same data without the sandbox', () => {
  const basic = { authorization: `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}` };
  const asked = async (): Promise<number> => (await fetch(`${base}/relying-party/v1/subject-migrations`, { headers: basic })).status;

  it('the public secret is refused, and accepted again when the sandbox is back', async () => {
    expect(await asked()).toBe(200);
    await standalone.close();
    await restart({ SANDBOX: 'false' });
    expect([standalone.sandbox, await asked()]).toEqual([undefined, 401]);
    await standalone.close();
    await restart();
    expect(await asked()).toBe(200);
  });
});
