import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { type EvidenceFault, EvidenceRefused, UnexpectedAnswer, verifyEvidence } from './index.js';
import { caught, client, CLIENT_ID, service, SUBJECT_ID, useScriptedService } from '../../../../testkit/relying-party-client/scripted-client.js';

const ISSUER = 'https://login.example/openid';

const newKey = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const [ofService, ofPhone] = [newKey(), newKey()];
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const keys = { keys: [{ ...jwk(ofService.publicKey), kid: 'first-es256' }] };

const es256 = (text: string, key: KeyObject): Buffer => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
const encoded = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

const STATEMENT = {
  sessionId: '0b9f2c1e-61ac-4a07-8a3f-7a4f0a3c9e55',
  clientId: CLIENT_ID,
  relyingPartyName: 'Harbour',
  title: 'Renew your card',
  challenge: 'random',
  expiresAt: 1_900_000_120,
};

interface Changes {
  readonly header?: object;
  readonly claims?: object;
  readonly statement?: object;
  /** Signs in place of the phone. */
  readonly phone?: KeyObject;
  /** Signs in place of the service. */
  readonly by?: KeyObject;
}

/** Evidence as the service makes it, but for the changes. */
const evidenceWith = ({ header = {}, claims = {}, statement = {}, phone = ofPhone.privateKey, by = ofService.privateKey }: Changes = {}): string => {
  const text = JSON.stringify({ ...STATEMENT, ...statement });
  const all = {
    iss: ISSUER,
    aud: CLIENT_ID,
    sub: SUBJECT_ID,
    iat: 1_900_000_060,
    toBeSigned: Buffer.from(text).toString('base64'),
    signature: es256(text, phone).toString('base64'),
    signatureAlgorithm: 'ES256',
    publicKey: jwk(ofPhone.publicKey),
    enrolledAt: 1_800_000_000,
    confirmedAt: 1_900_000_050,
    ...claims,
  };
  const signed = `${encoded({ alg: 'ES256', kid: 'first-es256', typ: 'login-evidence+jwt', ...header })}.${encoded(all)}`;
  return `${signed}.${es256(signed, by).toString('base64url')}`;
};

const verified = (evidence: string) => verifyEvidence({ evidence, keys, issuer: ISSUER, clientId: CLIENT_ID });
const faultOf = (evidence: string): EvidenceFault | undefined => {
  try {
    verified(evidence);
    return undefined;
  } catch (error) {
    if (error instanceof EvidenceRefused) return error.reason;
    throw error;
  }
};

describe('the evidence of a login', () => {
  it('proves who has approved what, and when', () => {
    expect(verified(evidenceWith())).toEqual({
      subjectId: SUBJECT_ID,
      confirmedAt: 1_900_000_050,
      statement: STATEMENT,
      publicKey: jwk(ofPhone.publicKey),
      enrolledAt: 1_800_000_000,
    });
    expect(verified(evidenceWith({ claims: { finishedBy: 'number' } })).finishedBy).toBe('number');
  });

  it.each<readonly [EvidenceFault, string, Changes]>([
    ['PHONE_SIGNATURE_DIFFERENT', 'a statement that another phone has signed', { phone: newKey().privateKey }],
    ['PHONE_SIGNATURE_DIFFERENT', 'a key of another curve as that of the phone', { claims: { publicKey: jwk(newKey('P-384').publicKey) } }],
    [
      'PHONE_SIGNATURE_DIFFERENT',
      'a statement that was exchanged',
      { claims: { toBeSigned: btoa(JSON.stringify({ ...STATEMENT, title: 'Sell' })) } },
    ],
    ['OTHER_CLIENT', 'a statement about another client', { statement: { clientId: 'another' } }],
    ['OTHER_CLIENT', 'evidence for another client', { claims: { aud: 'another' } }],
    ['OTHER_ISSUER', 'evidence of another service', { claims: { iss: 'https://other.example/openid' } }],
    ['SIGNATURE_DIFFERENT', 'evidence that another key has signed', { by: newKey().privateKey }],
    ['KEY_UNKNOWN', 'evidence of a key that is not among those of the service', { header: { kid: 'second-es256' } }],
    ['UNREADABLE', 'an ID token', { header: { typ: 'JWT' } }],
    ['UNREADABLE', 'another algorithm', { header: { alg: 'none' } }],
    ['UNREADABLE', 'a phone of another algorithm', { claims: { signatureAlgorithm: 'RS512' } }],
    ['UNREADABLE', 'evidence without a time', { claims: { confirmedAt: undefined } }],
    ['UNREADABLE', 'evidence without a statement', { claims: { toBeSigned: undefined } }],
  ])('is refused as %s: %s', (fault, _, changes) => {
    expect(faultOf(evidenceWith(changes))).toBe(fault);
  });

  it.each(['', 'a.b', 'a.b.c', `${evidenceWith()}.more`, evidenceWith().split('.').slice(0, 2).join('.')])('is no other text: %#', (text) => {
    expect(faultOf(text)).toBe('UNREADABLE');
  });

  it('is refused where one letter of it was changed', () => {
    const [header = '', claims = '', signature = ''] = evidenceWith().split('.');
    const changed = encoded({ ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as object), confirmedAt: 1 });
    expect(faultOf(`${header}.${changed}.${signature}`)).toBe('SIGNATURE_DIFFERENT');
    expect(faultOf(`${header}.${claims}.`)).toBe('SIGNATURE_DIFFERENT');
  });
});

describe('the keys for it', () => {
  useScriptedService();

  it('are those that the service publishes', async () => {
    service.willAnswer({ status: 200, body: keys });
    expect(await client.evidenceKeys()).toEqual(keys);
    expect(service.seen[0]).toMatchObject({ method: 'GET', path: '/openid/jwks' });
  });

  it('are no other answer', async () => {
    service.willAnswer({ status: 200, body: { keys: 'none' } });
    await caught(client.evidenceKeys(), UnexpectedAnswer);
  });
});
