import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { backchannelFixture, CIBA } from './backchannel.fixture.js';
import { type Answer, basic, GRANT, REQUEST } from './openid.fixture.js';

let api: Awaited<ReturnType<typeof backchannelFixture>>;
beforeEach(async () => {
  api = await backchannelFixture();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await api.close();
});

/** No stream can be read or written. */
const loseStore = (): void => {
  const { eventStore } = api.platform;
  const lost = () => Promise.reject(new ServiceUnavailable('the store does not answer'));
  jest.spyOn(eventStore, 'append').mockImplementation(lost as never);
  jest.spyOn(eventStore, 'read').mockImplementation(lost as never);
};
const unavailable = ({ status, body, headers }: Answer) => [status, body['error'], Number(headers['retry-after']) > 0];

/** By language. */
const PAGES = [
  ['en', 'This login cannot begin now'],
  ['et-EE,et;q=0.9', 'Sisselogimist ei saa praegu alustada'],
  ['lv', 'Pieteikšanos pašlaik nevar sākt'],
  ['lt', 'Prisijungimo dabar pradėti negalima'],
  ['de-AT', 'Diese Anmeldung kann gerade nicht beginnen'],
  ['ru', 'Сейчас вход не может начаться'],
  ['fr', 'This login cannot begin now'],
] as const;

describe('while the store cannot be reached', () => {
  it('endpoints answer 503 with temporarily_unavailable and Retry-After, and go on afterwards', async () => {
    const { code } = await api.login();
    const id = await api.ask({ login_hint: api.sub });
    await api.approve(id);
    const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
    const calls: Readonly<Record<string, () => Promise<Answer>>> = {
      authorize: () => api.get('authorize', { client_id: api.client.clientId, request_uri }),
      par: () => api.post('par', REQUEST),
      'bc-authorize': () => api.post('bc-authorize', { scope: 'openid', login_hint: api.sub }),
      'token by code': () => api.post('token', { ...GRANT, code }),
      'token without a browser': () => api.post('token', { grant_type: CIBA, auth_req_id: id }),
    };
    loseStore();
    for (const [name, call] of Object.entries(calls))
      expect([name, ...unavailable(await call())]).toEqual([name, 503, 'temporarily_unavailable', true]);
    jest.restoreAllMocks();
    for (const [name, call] of Object.entries(calls))
      expect([name, (await call()).status]).toEqual([name, { par: 201, authorize: 303 }[name] ?? 200]);
  });

  it('a browser that opens the login gets a page in its language with Retry-After, and logs in when it reloads the page later', async () => {
    const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
    const open = (language: string) =>
      api.get(
        'authorize',
        { client_id: api.client.clientId, request_uri },
        { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': language },
      );
    loseStore();
    for (const [language, title] of PAGES) {
      const { status, headers, text } = await open(language);
      expect([status, headers['content-type'], Number(headers['retry-after']) > 0]).toEqual([503, 'text/html; charset=utf-8', true]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain('temporarily_unavailable');
      expect(text).not.toContain('the store does not answer');
    }
    jest.restoreAllMocks();
    expect((await open('en')).status).toBe(303);
  });

  it('a program that accepts text/html gets JSON at the other endpoints', async () => {
    loseStore();
    const java = { authorization: basic(api.client), accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' };
    const { status, headers } = await api.post('par', REQUEST, java);
    expect([status, headers['content-type']]).toEqual([503, 'application/json; charset=utf-8']);
  });

  it('metadata and keys are there', async () => {
    loseStore();
    expect([(await api.get('.well-known/openid-configuration')).status, (await api.get('jwks')).status]).toEqual([200, 200]);
  });
});

it('a browser whose address opens too many logins gets a page with 429 and Retry-After, and a program gets JSON', async () => {
  const open = (accept: string) => api.get('authorize', {}, { accept });
  for (let call = 0; call < 300; call += 1) await open('text/html');
  const page = await open('text/html');
  expect([page.status, page.headers['content-type'], Number(page.headers['retry-after']) > 0]).toEqual([429, 'text/html; charset=utf-8', true]);
  expect(page.text).toContain('<h1>This login cannot begin now</h1>');
  const json = await open('*/*');
  expect([json.status, json.body['error']]).toEqual([429, 'temporarily_unavailable']);
});
