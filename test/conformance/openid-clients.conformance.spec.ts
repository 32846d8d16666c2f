import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import * as client from 'openid-client';
import { Strategy } from 'openid-client/passport';
import passport from 'passport';

import { approve, decline, expectOk, issuerOf, newCast, RelyingParty, word } from '../support/index.js';

/*
 * Stock libraries, unchanged, as relying parties bring them: docs/openid.md shows the same settings. They verify what they get by themselves: issuer, audience, signature,
 * nonce, code challenge and `iss`.
 */
const { service, phone } = await newCast();
const PROPERTIES = { allowed_attributes: ['name', 'email'], allowed_predicates: ['ageOver*'] };

let issuer: string;
beforeAll(async () => {
  issuer = await issuerOf(service);
});

describe('openid-client 6', () => {
  const configured = async (terms: Record<string, unknown> = {}, authentication?: client.ClientAuth) => {
    const shop = await RelyingParty.register(service, { ...PROPERTIES, ...terms });
    const options = { execute: [client.allowInsecureRequests] };
    const alg = terms['id_token_signed_response_alg'] as string | undefined;
    const metadata = { client_secret: shop.clientSecret, ...(alg !== undefined && { id_token_signed_response_alg: alg }) };
    const config = await client.discovery(new URL(issuer), shop.clientId, metadata, authentication, options);
    return { shop, config };
  };
  const requestOf = async ({ redirectUri }: RelyingParty) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid profile email age_over_18',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    };
    return { parameters, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
  };

  it.each([
    ['client_secret_basic and RS256', {}, undefined],
    ['client_secret_post and PS256', { id_token_signed_response_alg: 'PS256' }, client.ClientSecretPost()],
    ['client_secret_basic and ES256', { id_token_signed_response_alg: 'ES256' }, client.ClientSecretBasic()],
  ] as const)('logs in by a pushed request, with %s', async (_, terms, authentication) => {
    const { shop, config } = await configured(terms, authentication);
    const { parameters, checks } = await requestOf(shop);
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters);
    const tokens = await client.authorizationCodeGrant(config, await approve(address, service, phone), checks);
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: issuer, aud: shop.clientId, amr: ['pin', 'swk', 'mfa'], age_over_18: expect.any(Boolean) });
    expect(await client.fetchUserInfo(config, tokens.access_token, claims!.sub)).toMatchObject({ sub: claims!.sub, name: claims!['name'] });
  });

  it('logs in by a key of its own in place of the secret', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const jwks = { keys: [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'first' }] };
    const { shop, config } = await configured({ jwks }, client.PrivateKeyJwt({ key: privateKey, kid: 'first' }));
    const { parameters, checks } = await requestOf(shop);
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters);
    const tokens = await client.authorizationCodeGrant(config, await approve(address, service, phone), checks);
    expect(tokens.claims()?.sub).toHaveLength(36);
  });

  it('logs in by the keys that it publishes, and by a new one beside the old one at once', async () => {
    const pairs = await Promise.all([0, 1].map(() => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])));
    const published: object[] = [];
    const host = createServer((_, response) => response.end(JSON.stringify({ keys: published }))).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const terms = { jwks_uri: `http://127.0.0.1:${(host.address() as AddressInfo).port}/jwks` };
    const { shop } = await configured(terms);
    for (const [number, { publicKey, privateKey }] of pairs.entries()) {
      const kid = `key-${number}`;
      published.push({ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid });
      const options = { execute: [client.allowInsecureRequests] };
      const config = await client.discovery(new URL(issuer), shop.clientId, {}, client.PrivateKeyJwt({ key: privateKey, kid }), options);
      const { parameters, checks } = await requestOf(shop);
      const address = await client.buildAuthorizationUrlWithPAR(config, parameters);
      const tokens = await client.authorizationCodeGrant(config, await approve(address, service, phone), checks);
      expect(tokens.claims()?.sub).toHaveLength(36);
    }
    host.close();
  });

  it('gets tokens that are bound to a key of its own, and reads userinfo with it alone', async () => {
    const { shop, config } = await configured({ dpop_bound_access_tokens: true });
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const { parameters, checks } = await requestOf(shop);
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
    const tokens = await client.authorizationCodeGrant(config, await approve(address, service, phone), checks, undefined, { DPoP });
    const { sub } = tokens.claims()!;
    expect(tokens.token_type).toBe('dpop');
    expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({ sub });
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    await expect(client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: other })).rejects.toMatchObject({ status: 401 });
    await expect(client.fetchUserInfo(config, tokens.access_token, sub)).rejects.toMatchObject({ status: 401 });
  });

  it('logs in by requests that it signs, as FAPI 2.0 wants them', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const terms = {
      jwks: { keys: [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'first' }] },
      require_signed_request_object: true,
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: 'ES256',
    };
    const key = { key: privateKey, kid: 'first' };
    const { shop, config } = await configured(terms, client.PrivateKeyJwt(key));
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const { parameters, checks } = await requestOf(shop);
    await expect(client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })).rejects.toMatchObject({ error: 'invalid_request' });
    const signed = await client.buildAuthorizationUrlWithJAR(config, parameters, key);
    const address = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams, { DPoP });
    const tokens = await client.authorizationCodeGrant(config, await approve(address, service, phone), checks, undefined, { DPoP });
    const { sub } = tokens.claims()!;
    expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({ sub });
  });

  it('logs in by a plain request, for a client that allows it', async () => {
    const { shop, config } = await configured({ require_pushed_authorization_requests: false });
    const { parameters, checks } = await requestOf(shop);
    const tokens = await client.authorizationCodeGrant(
      config,
      await approve(client.buildAuthorizationUrl(config, parameters), service, phone),
      checks,
    );
    expect(tokens.claims()?.sub).toHaveLength(36);
  });

  describe('without a browser', () => {
    const begin = async () => {
      const { shop, config } = await configured();
      const sub = await shop.subjectOf(phone);
      const request = { scope: 'openid profile', login_hint: sub, binding_message: `Till ${word()}` };
      return { shop, config, sub, request, begun: await client.initiateBackchannelAuthentication(config, request) };
    };
    /** The one request that the phone shows with this message. */
    const shown = async (message: string) => {
      const ids = await phone.pendingIds();
      const scans = await Promise.all(ids.map(async (id) => ({ id, ...(await phone.scan(id, { via: 'push' })).json })));
      return scans.find((scan) => (scan as { title?: unknown }).title === message)!.id;
    };

    it('logs the person in who approves on the phone', async () => {
      const { shop, config, sub, request, begun } = await begin();
      expectOk(await phone.confirm(await shown(request.binding_message)));
      const tokens = await client.pollBackchannelAuthenticationGrant(config, begun);
      expect(tokens.claims()).toMatchObject({ iss: issuer, aud: shop.clientId, sub, name: expect.any(String) });
      expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub });
    });

    it('waits for the person, and learns that the person has declined', async () => {
      const { config, request, begun } = await begin();
      const polling = client.pollBackchannelAuthenticationGrant(config, begun);
      expectOk(await phone.decline(await shown(request.binding_message)));
      await expect(polling).rejects.toMatchObject({ error: 'access_denied' });
    });

    it('is told that nobody is known by a personal code', async () => {
      const { config, request } = await begin();
      const asked = client.initiateBackchannelAuthentication(config, { ...request, login_hint: '47101010033' });
      await expect(asked).rejects.toMatchObject({ error: 'unknown_user_id' });
    });
  });

  it('learns that the person has declined', async () => {
    const { shop, config } = await configured();
    const { parameters, checks } = await requestOf(shop);
    const back = await decline(await client.buildAuthorizationUrlWithPAR(config, parameters), service, phone);
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('refuses the answer to the login of another browser', async () => {
    const { shop, config } = await configured();
    const [one, other] = [await requestOf(shop), await requestOf(shop)];
    const back = await approve(await client.buildAuthorizationUrlWithPAR(config, one.parameters), service, phone);
    await expect(client.authorizationCodeGrant(config, back, other.checks)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('state') }),
    });
  });
});

describe('Passport with the strategy of openid-client', () => {
  it('logs in at a server of Express', async () => {
    const app = express();
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const callbackURL = `${origin}/callback`;
    const shop = await RelyingParty.register(service, {
      ...PROPERTIES,
      name: `Shop ${word()}`,
      redirect_uris: [callbackURL],
      require_pushed_authorization_requests: false,
    });
    const options = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(issuer), shop.clientId, shop.clientSecret, undefined, options);

    // One browser, so one session.
    const session = {};
    app.use((request, _response, next) => {
      Object.assign(request, { session });
      next();
    });
    const strategy = new Strategy({ config, scope: 'openid profile', callbackURL }, (tokens, verified) => verified(null, tokens.claims()));
    passport.use('countersign', strategy);
    app.get('/login', passport.authenticate('countersign', { session: false }));
    app.get('/callback', passport.authenticate('countersign', { session: false }), (request, response) => {
      response.json(request.user);
    });

    const begun = await fetch(`${origin}/login`, { redirect: 'manual' });
    const back = await approve(begun.headers.get('location') ?? '', service, phone);
    const answer = await fetch(back);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ iss: issuer, aud: shop.clientId, name: expect.any(String) }),
    ]);
    server.close();
  });
});
