import { randomUUID } from 'node:crypto';

import { type PendingHostedLogin, RelyingPartyClient } from '#clients/relying-party';

import { confirmedByTheSandbox } from '../../../examples/relying-party/test/sandbox-sample.js';
import { base, basic, newPhone, post, standalone, useSandbox } from './sandbox.fixture.js';

useSandbox();

const client = (): RelyingPartyClient => {
  const { clientId, clientSecret } = standalone.demo!;
  return new RelyingPartyClient({ baseUrl: base, clientId, clientSecret });
};
/** The service as browsers know it. */
const site = (): string => base.replace('127.0.0.1', 'localhost');
const loginPage = (handoffToken: string): string => `${site()}/login/?t=${encodeURIComponent(handoffToken)}`;
const begin = (): Promise<PendingHostedLogin> => client().beginLogin({ redirectUri: standalone.demo!.redirectUri, hostedPage: true });
const logIn = async (phoneId: string, url: string) => post(`/sandbox/v1/phones/${phoneId}/login`, { url });

describe('the hosted page and the phone together', () => {
  it('log a person in, and lead to the callback of the client', async () => {
    const login = await begin();
    const { status, body } = await logIn(await newPhone('ok'), loginPage(login.handoffToken));
    expect([status, body.status]).toEqual([200, 'CONFIRMED']);
    expect(body.redirect).toMatch(new RegExp(`^${standalone.demo!.redirectUri}\\?`));
    expect((await client().finishLogin(login, new URL(body.redirect).searchParams)).subjectId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('log in as the guide shows', async () => {
    const login = await begin();
    const callback = await confirmedByTheSandbox(base, loginPage(login.handoffToken));
    expect((await client().finishLogin(login, new URL(callback).searchParams)).subjectId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('log in at a client whose codes change each second', async () => {
    const redirectUri = 'https://shop.example/back';
    const terms = { name: 'Moving codes', redirectUris: [redirectUri], allowedAttributes: [], allowedPredicates: [], dynamicQr: true };
    const { clientId, clientSecret } = await standalone.platform.useCases.relyingParties().registerClient.execute(terms);
    const shop = new RelyingPartyClient({ baseUrl: base, clientId, clientSecret: clientSecret.reveal() });
    const login = await shop.beginLogin({ redirectUri, hostedPage: true });
    const { body } = await logIn(await newPhone('ok'), loginPage(login.handoffToken));
    expect((await shop.finishLogin(login, new URL(body.redirect).searchParams)).subjectId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sign a document', async () => {
    const signing = await client().beginSigning({ data: Buffer.from('agreement'), redirectUri: standalone.demo!.redirectUri });
    const { body } = await logIn(await newPhone('ok'), loginPage(signing.handoffToken));
    expect(new URL(body.redirect).searchParams.get('state')).toBe(signing.state);
    expect((await client().result(signing.sessionId)).signedDataName).toBe('detached-file');
  });

  it('follow the authorization endpoint of OpenID Connect', async () => {
    const fields = { response_type: 'code', scope: 'openid', redirect_uri: standalone.demo!.redirectUri, state: 'here', nonce: randomUUID() };
    const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const headers = { ...basic(), 'content-type': 'application/x-www-form-urlencoded' };
    const pushed = await fetch(`${base}/openid/par`, { method: 'POST', headers, body: new URLSearchParams({ ...fields, ...challenge }) });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    const query = new URLSearchParams({ client_id: standalone.demo!.clientId, request_uri });
    const { body } = await logIn(await newPhone('ok'), `${site()}/openid/authorize?${query}`);
    expect(new URL(body.redirect).searchParams.get('state')).toBe('here');
    expect(new URL(body.redirect).searchParams.get('code')).toMatch(/./);
  });

  it('lead nowhere when the phone declines', async () => {
    const { status, body } = await logIn(await newPhone('decline'), loginPage((await begin()).handoffToken));
    expect([status, body.status, body.redirect]).toEqual([200, 'CANCELLED', undefined]);
  });

  it('pass on that a login was opened before', async () => {
    const url = loginPage((await begin()).handoffToken);
    const phone = await newPhone('ok');
    await logIn(phone, url);
    const again = await logIn(phone, url);
    expect([again.status, again.body.errorCode]).toEqual([400, 'invalid_handoff']);
  });

  it.each(['', 'no address', 'https://shop.example/?t=x', '{site}/login/', '{site}/elsewhere/?t=x', '{site}/openid/authorize?client_id=x'])(
    'refuse an address that leads to no login: %s',
    async (url) => {
      const { status, body } = await logIn(await newPhone('ok'), url.replace('{site}', site()));
      expect([status, body.errorCode]).toEqual([400, 'invalid_request']);
      expect(body.defaultTranslation).toContain('url');
    },
  );

  it('refuse a phone that does not exist', async () => {
    const { status, body } = await logIn(randomUUID(), loginPage((await begin()).handoffToken));
    expect([status, body.errorCode]).toEqual([404, 'phone_not_found']);
  });
});
