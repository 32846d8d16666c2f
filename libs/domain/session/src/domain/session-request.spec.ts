import { InvalidRequest } from '#kernel';
import type { Client } from '#domain/relying-party';

import { assertSessionRequest, type SessionRequest } from './session-request.js';

const HERE = 'https://rp.example/callback';
const client = { redirectUris: [HERE] } as unknown as Client;

const LOGIN: SessionRequest = { signatureType: 'AUTHENTICATION', redirectUri: HERE, codeChallenge: 'challenge', codeChallengeMethod: 'S256' };
const SIGNATURE: SessionRequest = { signatureType: 'SIGNING', signedDataHash: 'hash', signedDataName: 'name', signedDataSize: 1 };
const LIST: SessionRequest = { signatureType: 'SIGNING', documents: [{ name: 'name', hash: 'hash' }] };

const faultOf = (request: SessionRequest): string | undefined => {
  try {
    assertSessionRequest(request, client);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequest);
    return (error as Error).message;
  }
};

describe('the parameters of a session', () => {
  it.each<readonly [string, SessionRequest]>([
    ['a login', LOGIN],
    ['a hosted login', { ...LOGIN, hostedPage: true }],
    ['a login of one subject', { ...LOGIN, subjectId: 'subject' }],
    ['a pushed login', { ...LOGIN, subjectId: 'subject', push: true }],
    ['a login with properties', { ...LOGIN, properties: 'e30' }],
    ['a login with evidence', { ...LOGIN, evidence: true }],
    ['a login that is not pushed', { ...LOGIN, push: false }],
    ['the signature of one document', SIGNATURE],
    ['the signature of a list', LIST],
    ['a hosted signature', { ...SIGNATURE, hostedPage: true, redirectUri: HERE }],
  ])('may be those of %s', (_, request) => {
    expect(faultOf(request)).toBeUndefined();
  });

  it.each<readonly [string, SessionRequest, string]>([
    ['a login without redirect_uri', { ...LOGIN, redirectUri: undefined }, '`redirect_uri` is required for AUTHENTICATION'],
    ['a login without code_challenge', { ...LOGIN, codeChallenge: undefined }, '`code_challenge` is required for AUTHENTICATION'],
    ['a login without code_challenge_method', { ...LOGIN, codeChallengeMethod: undefined }, '`code_challenge_method` is required for AUTHENTICATION'],
    ['a login with signed_data_hash', { ...LOGIN, signedDataHash: 'x' }, '`signed_data_hash` does not belong to AUTHENTICATION; leave it out'],
    ['a login with signed_data_name', { ...LOGIN, signedDataName: 'x' }, '`signed_data_name` does not belong to AUTHENTICATION; leave it out'],
    ['a login with signed_data_size', { ...LOGIN, signedDataSize: 0 }, '`signed_data_size` does not belong to AUTHENTICATION; leave it out'],
    ['a login with documents', { ...LOGIN, documents: [] }, '`documents` does not belong to AUTHENTICATION; leave it out'],
    [
      'an address that is not registered',
      { ...LOGIN, redirectUri: `${HERE}/` },
      '`redirect_uri` is not registered for this client; it must match a registered URI exactly',
    ],
    ['a push to nobody', { ...LOGIN, push: true }, '`push` needs `subject_id`'],
    ['a signature with code_challenge', { ...SIGNATURE, codeChallenge: 'x' }, '`code_challenge` does not belong to SIGNING; leave it out'],
    [
      'a signature with code_challenge_method',
      { ...SIGNATURE, codeChallengeMethod: 'S256' },
      '`code_challenge_method` does not belong to SIGNING; leave it out',
    ],
    ['a signature with evidence', { ...SIGNATURE, evidence: true }, '`evidence` does not belong to SIGNING; leave it out'],
    ['a signature with properties', { ...SIGNATURE, properties: 'e30' }, '`properties` does not belong to SIGNING; leave it out'],
    ['a signature of nothing', { signatureType: 'SIGNING' }, '`signed_data_hash` or `documents` is required for SIGNING'],
    ['a list beside a hash', { ...LIST, signedDataHash: 'x' }, '`documents` stands in place of `signed_data_hash`; leave one of them out'],
    ['a list beside a name', { ...LIST, signedDataName: 'x' }, '`documents` stands in place of `signed_data_name`; leave one of them out'],
    ['a list beside a size', { ...LIST, signedDataSize: 1 }, '`documents` stands in place of `signed_data_size`; leave one of them out'],
    [
      'a signature with an address and without page',
      { ...SIGNATURE, redirectUri: HERE },
      '`redirect_uri` belongs to SIGNING only with `hosted_page`; leave it out',
    ],
    ['a hosted signature without address', { ...SIGNATURE, hostedPage: true }, '`redirect_uri` is required with `hosted_page`'],
    [
      'a hosted signature with an address that is not registered',
      { ...SIGNATURE, hostedPage: true, redirectUri: 'https://b.example/' },
      '`redirect_uri` is not registered for this client; it must match a registered URI exactly',
    ],
  ])('may not be those of %s', (_, request, fault) => {
    expect(faultOf(request)).toBe(fault);
  });
});
