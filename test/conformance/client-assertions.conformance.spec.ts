import { describe, expect, it } from '@jest/globals';

import { AssertionKey } from '#testkit/openid/assertion-key';

import { exchange, issuerOf, newCast, newPkce, RelyingParty } from '../support/index.js';

const { service } = await newCast();
const issuer = await issuerOf(service);
const key = new AssertionKey();
const shop = await RelyingParty.register(service, { jwks: { keys: [key.jwk] } });
const FORTY = Array.from({ length: 40 }, (_, number) => number);
const ONCE = (status: number) => [status, ...FORTY.slice(1).map(() => 401)];

/** The replicas behind the addresses of the service get the calls in turn. */
const at = (number: number): string => service.baseUrls[number % service.baseUrls.length]!;

describe('one assertion of a client, brought by forty calls at once to all replicas', () => {
  it('counts once at the native interface', async () => {
    const authorization = `Bearer ${await key.sign({ clientId: shop.clientId, audience: issuer.replace(/\/openid$/, '') })}`;
    const request = { method: 'POST', path: '/relying-party/v1/session', headers: { authorization }, json: shop.sessionBody() };
    const answers = await Promise.all(FORTY.map((number) => exchange(at(number), request)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(ONCE(200));
  });

  it('counts once at the endpoint of pushed requests', async () => {
    const form = new URLSearchParams({
      response_type: 'code',
      redirect_uri: shop.redirectUri,
      scope: 'openid',
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await key.sign({ clientId: shop.clientId, audience: issuer }),
    });
    const answers = await Promise.all(FORTY.map((number) => fetch(`${at(number)}/openid/par`, { method: 'POST', body: form })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(ONCE(201));
  });

  it('counts for the interface that it names alone', async () => {
    const authorization = `Bearer ${await key.sign({ clientId: shop.clientId, audience: issuer })}`;
    expect((await shop.post({}, { authorization })).status).toBe(401);
  });
});
