import { describe, expect, it } from '@jest/globals';

import { expectError, expectOk, NOT_OBJECTS, OTHER_TYPES, secret, word } from '../support/index.js';
import { shop, useShop, raw } from './support/session-creations.js';

useShop();

describe('there is no client_id field', () => {
  it.each([
    'client_id',
    'clientId',
    'redirectUri',
    'codeChallenge',
    'response_type',
    'scope',
    'nonce',
    'client_secret',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])('an unknown field is refused by its name: %p', async (field) => {
    const body = JSON.stringify(shop.sessionBody()).replace('{', `{${JSON.stringify(field)}:${JSON.stringify(shop.clientId)},`);
    expectError(await raw(body), 400, 'invalid_request', field);
  });
});

describe('the body', () => {
  it.each(NOT_OBJECTS)('malformed, %s, is invalid_request', async (_, body) => {
    expectError(await raw(body), 400, 'invalid_request');
  });

  it.each(OTHER_TYPES)('of type %p is refused', async (type) => {
    expectError(await raw(JSON.stringify(shop.sessionBody()), { 'content-type': type }), 415, 'invalid_request');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('may be of type %s', async (type) => {
    expectOk(await raw(JSON.stringify(shop.sessionBody()), { 'content-type': type }));
  });

  it('has at most 64 KiB', async () => {
    const body = JSON.stringify(shop.sessionBody());
    expectOk(await raw(body.padEnd(65_536)));
    expectError(await raw(body.padEnd(65_537)), 413, 'invalid_request');
    expectError(await raw(body.padEnd(300_000)), 413, 'invalid_request');
  });

  it('names no field twice', async () => {
    const body = JSON.stringify(shop.sessionBody()).replace('{', '{"hosted_page":false,"hosted_page":true,');
    expectError(await raw(body), 400, 'invalid_request', 'hosted_page');
  });

  it('is JSON in snake_case', async () => {
    const { redirect_uri: redirectUri, ...rest } = shop.sessionBody();
    expectError(await raw(JSON.stringify({ redirectUri, ...rest })), 400, 'invalid_request', 'redirectUri');
  });

  it('does not repeat a secret in its refusal', async () => {
    const state = secret('state', `state-${word()}`);
    const answer = await shop.post({ state: state.padEnd(501, 'x') });
    expect(answer.text).not.toContain(state);
  });
});
