import { describe, it } from '@jest/globals';

import { DECEIVING_TEXTS, expectError, expectOk, LONE_SURROGATES, NOT_STRINGS, WIDE, WRONG_STRINGS } from '../support/index.js';
import { shop, useShop, sign, properties } from './support/session-creations.js';

useShop();

describe('signing fields sent on an authentication session', () => {
  it.each([
    ['signed_data_hash', 'a'.repeat(128)],
    ['signed_data_name', 'contract.pdf'],
  ])('%s is refused', async (field, value) => {
    expectError(await shop.post({ [field]: value }), 400, 'invalid_request', field);
  });
});

describe('signed_data_hash', () => {
  it('is required on a signing session', async () => {
    expectError(await sign({ signed_data_hash: undefined }), 400, 'invalid_request', 'signed_data_hash');
  });

  it('is 128 hex characters, in either case', async () => {
    for (const hash of ['0123456789abcdef'.repeat(8), '0123456789ABCDEF'.repeat(8)]) expectOk(await sign({ signed_data_hash: hash }));
  });

  it.each([
    ...NOT_STRINGS,
    ['empty', ''],
    ['127 characters', 'a'.repeat(127)],
    ['129 characters', 'a'.repeat(129)],
    ['no hex', 'g'.repeat(128)],
    ['base64', 'A'.repeat(88)],
    ['padded', `${'a'.repeat(127)}\n`],
  ])('may not be %s', async (_, value) => {
    expectError(await sign({ signed_data_hash: value }), 400, 'invalid_request', 'signed_data_hash');
  });
});

describe('signed_data_name', () => {
  it.each([
    'contract.pdf',
    'Ленинград — договор.pdf',
    'a b&c<d>.txt',
    '%2e%2e',
    "it's.txt",
    WIDE.repeat(255),
    '.hidden',
    'mimetype.txt',
    'a..b.pdf',
    'C:x.pdf',
    'META-INFO.txt',
    'a\u200eb\u200fc.pdf',
    'a\u061cb.pdf',
  ])('may be %p', async (name) => {
    expectOk(await sign({ signed_data_name: name }));
  });

  it('that is null counts as absent', async () => {
    expectOk(await sign({ signed_data_name: null, code_challenge: null, title: null }));
  });

  it.each([
    ...WRONG_STRINGS,
    ...DECEIVING_TEXTS,
    ...LONE_SURROGATES,
    ['empty', ''],
    ['256 characters', WIDE.repeat(256)],
    ['a path', 'a/b'],
    ['a Windows path', 'a\\b'],
    ['a path into META-INF', 'META-INF/x.xml'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['mimetype', 'mimetype'],
    ['mimetype in another case', 'MimeType'],
    ['META-INF', 'META-INF'],
    ['meta-inf in another case', 'meta-Inf'],
  ])('may not be %s', async (_, value) => {
    expectError(await sign({ signed_data_name: value }), 400, 'invalid_request', 'signed_data_name');
  });
});

describe('login fields sent on a signing session', () => {
  it.each([
    ['code_challenge', 'a'.repeat(43)],
    ['code_challenge_method', 'S256'],
    ['properties', properties({ attributes: ['name'] })],
  ])('%s is refused', async (field, value) => {
    expectError(await sign({ [field]: value }), 400, 'invalid_request', field);
  });

  it('redirect_uri is refused without hosted_page, and required with it', async () => {
    expectError(await sign({ redirect_uri: shop.redirectUri }), 400, 'invalid_request', 'redirect_uri');
    expectError(await sign({ hosted_page: true }), 400, 'invalid_request', 'redirect_uri');
    expectError(await sign({ hosted_page: true, redirect_uri: 'https://elsewhere.example/' }), 400, 'invalid_request', 'redirect_uri');
    expectOk(await sign({ hosted_page: true, redirect_uri: shop.redirectUri }));
  });

  it('state without redirect_uri is accepted, unused', async () => {
    expectOk(await sign({ state: 'not shown to the user' }));
  });
});
