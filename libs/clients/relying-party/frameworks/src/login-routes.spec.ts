import { describe, expect, it } from '@jest/globals';

import { CREATED, client, service, useScriptedService } from '../../../../../testkit/relying-party-client/scripted-client.js';
import { refused } from '../../../../../testkit/relying-party-client/scripted-service.js';
import { LoginRoutes, type LoginRoutesOptions, type LoginState, type VisitorSession } from './login-routes.js';

useScriptedService();

const ORIGIN = 'https://shop.example';
const HOSTED = { status: 200, body: { ...CREATED, handoffToken: 'handoff' } };
const PERSON = { subjectId: '0f8fad5b-d9cb-469f-a165-70867728950e' };

/** A session in memory that counts how often its identifier changed. */
class Session implements VisitorSession {
  state: LoginState | undefined;
  renewals = 0;

  async keep(state: LoginState): Promise<void> {
    this.state = state;
  }

  async renew(state: LoginState): Promise<void> {
    this.renewals++;
    this.state = state;
  }

  async end(): Promise<void> {
    this.state = undefined;
  }
}

const routesWith = (options: Partial<LoginRoutesOptions> = {}) => {
  const session = new Session();
  const routes = new LoginRoutes({ client, loginUrl: 'https://login.example', origin: ORIGIN, ...options });
  const ask = (method: string, path: string, query: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    routes.answer({ method, path, query: { ...query }, header: (name) => headers[name] }, () => session);
  return { session, ask };
};

describe('the settings', () => {
  it.each(['https://shop.example/', 'https://shop.example/app', 'https://SHOP.example', 'shop.example'])(
    'take no origin that is not one: %s',
    (origin) => {
      expect(() => routesWith({ origin })).toThrow('origin must be an origin without a path');
    },
  );

  it('give the login its properties and the callback of its own path', async () => {
    service.willAnswer(HOSTED);
    const { ask } = routesWith({
      paths: { callback: '/auth/back' },
      request: { title: 'Renew your card', properties: { predicates: ['ageOver18'] } },
    });
    expect(await ask('GET', '/login')).toEqual({ redirect: 'https://login.example/?t=handoff' });
    expect(service.seen[0]!.body).toMatchObject({ redirect_uri: `${ORIGIN}/auth/back`, hosted_page: true, title: 'Renew your card' });
  });
});

describe('a login', () => {
  it('that is begun again keeps the person who is logged in until it ends', async () => {
    service.willAnswer(HOSTED);
    const { session, ask } = routesWith();
    session.state = { person: PERSON };
    await ask('GET', '/login');
    expect(session.state).toMatchObject({ person: PERSON, pending: { returnTo: '/' } });
  });

  it.each([
    { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch;prerender' },
  ])('is not begun by a page that loads its links in advance: %j', async (headers) => {
    const { session, ask } = routesWith();
    session.state = { person: PERSON };
    expect(await ask('GET', '/login', {}, headers)).toEqual({ status: 400, text: 'Open this address to log in.' });
    expect([session.state, service.seen]).toEqual([{ person: PERSON }, []]);
  });

  it.each([{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }, { 'sec-fetch-mode': 'cors' }, {}])(
    'is begun by a person who opens the address, by `fetch` of Node, and by an old browser: %j',
    async (headers) => {
      service.willAnswer(HOSTED);
      expect(await routesWith().ask('GET', '/login', {}, headers)).toMatchObject({ redirect: expect.any(String) });
    },
  );

  it('whose callback belongs to another stays open for its own', async () => {
    service.willAnswer(HOSTED, { status: 200, body: PERSON });
    const { session, ask } = routesWith();
    await ask('GET', '/login');
    const { state } = session.state!.pending!;
    expect(await ask('GET', '/callback', { code: 'planted', state: 'another' })).toMatchObject({ status: 400 });
    expect(service.seen).toHaveLength(1);
    expect(await ask('GET', '/callback', { code: 'own', state })).toEqual({ redirect: '/' });
    expect([session.renewals, session.state]).toEqual([1, { person: PERSON }]);
  });

  it.each([
    ['NOT_BEGUN', async () => undefined],
    ['NOT_YOURS', async (ask: (method: string, path: string) => Promise<unknown>) => ask('GET', '/login')],
  ])('that fails leads to the page of the site: %s', async (failure, before) => {
    service.willAnswer(HOSTED);
    const { ask } = routesWith({ failed: (reason) => `/sorry?${reason}` });
    await before(ask);
    expect(await ask('GET', '/callback', { code: 'c', state: 's' })).toEqual({ redirect: `/sorry?${failure}` });
  });

  it('that the service cannot end now throws, and can be ended by a reload', async () => {
    service.willAnswer(HOSTED, refused(503, 'service_unavailable'), { status: 200, body: PERSON });
    const { session, ask } = routesWith();
    await ask('GET', '/login');
    const query = { code: 'own', state: session.state!.pending!.state };
    await expect(ask('GET', '/callback', query)).rejects.toThrow('service_unavailable');
    expect(await ask('GET', '/callback', query)).toEqual({ redirect: '/' });
  });
});
