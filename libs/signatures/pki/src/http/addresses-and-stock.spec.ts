import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorityInfoAccessExtension, CRLDistributionPointsExtension, type Extension } from '@peculiar/x509';

import { ServiceUnavailable } from '#kernel';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { ocspAnswer } from '#testkit/pki/ocsp-answer';
import { type Peer, startPeer } from '#testkit/pki/peer';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { testCrl } from '#testkit/pki/test-crl';
import { Certificate } from '../certificates/certificate.js';
import { boolean, contents, encode, octetString, oid, sequence, TAG } from '../der/der.js';
import { OID } from '../der/oids.js';
import { verifyOcspResponse } from '../ocsp/ocsp-response.js';
import { HttpRevocationSource, type RevocationSettings } from './http-revocation-source.js';

const LDAP = 'ldap://ldap.example/cn=Root?certificateRevocationList';
const UNREACHABLE = 'http://127.0.0.1:9/';
const OCSP = 'application/ocsp-response';
const [MINUTE, DAY] = [60_000, 86_400_000];

let kit: DevelopmentKit;
let peer: Peer;
let answer: Parameters<typeof ocspAnswer>[1];
beforeAll(async () => {
  kit = await developmentKit();
  peer = await startPeer((_, { method }) =>
    method === 'GET'
      ? { type: 'application/pkix-crl', body: testCrl({ signer: kit.pki.issuing, now: kit.clock.now() }) }
      : { type: OCSP, body: ocspAnswer(kit, answer) },
  );
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
});

const source = (settings: Partial<RevocationSettings> = {}): HttpRevocationSource =>
  new HttpRevocationSource({ clock: kit.clock, randomness: kit.randomness, pause: async () => undefined, nonce: false, ...settings });
const certified = async (...extensions: readonly Extension[]): Promise<Certificate> => {
  const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], ...extensions);
  return Certificate.parse((await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now() })).certificate);
};
const naming = (...ocsp: readonly string[]): Promise<Certificate> => certified(new AuthorityInfoAccessExtension({ ocsp: [...ocsp] }));
const listedAt = (...urls: readonly string[]): Promise<Certificate> => certified(new CRLDistributionPointsExtension([...urls]));
const inCapitals = (url: string): string => url.replace('http:', 'HTTP:');

describe('the addresses of a certificate', () => {
  it('are asked in their order until one gives a good answer', async () => {
    await using broken = await startPeer(() => ({ type: OCSP, body: Buffer.from('closed') }));
    const certificate = await naming(LDAP, UNREACHABLE, broken.url, peer.url);
    answer = { about: certificate };
    expect(await source().ask(certificate, kit.issuing)).toMatchObject({ type: 'ocsp', status: 'good' });
    expect(broken.asked()).toBe(1);
    const listed = await listedAt(LDAP, UNREACHABLE, broken.url, peer.url);
    expect(await source().current(listed, kit.issuing)).toMatchObject({ type: 'crl', status: 'good' });
    expect(await source().ask(listed, kit.issuing)).toMatchObject({ type: 'crl', status: 'good' });
  });

  it('may have their scheme in capitals (RFC 3986 §3.1)', async () => {
    const certificate = await naming(inCapitals(peer.url));
    answer = { about: certificate };
    expect(await source().ask(certificate, kit.issuing)).toMatchObject({ type: 'ocsp', status: 'good' });
    expect(await source().current(await listedAt(inCapitals(peer.url)), kit.issuing)).toMatchObject({ type: 'crl' });
    expect((await listedAt('HTTPS://pki.example/a.crl')).crlUrls).toEqual(['HTTPS://pki.example/a.crl']);
  });

  it('count once each, and no more than eight of them', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `http://127.0.0.1:9/${at}`);
    expect((await naming(many[0] as string, ...many)).ocspUrls).toEqual(many.slice(0, 8));
    expect((await listedAt(...many)).crlUrls).toEqual(many.slice(0, 8));
  });

  it('are not asked any longer than three calls may take', async () => {
    await using slow = await startPeer(() => {
      kit.clock.advance(1000);
      return { type: OCSP, body: Buffer.from('closed') };
    });
    const certificate = await naming(...Array.from({ length: 8 }, (_, at) => `${slow.url}${at}`));
    await expect(source({ timeout: 1000 }).ask(certificate, kit.issuing)).rejects.toThrow(ServiceUnavailable);
    expect(slow.asked()).toBe(3);
  });

  it('of LDAP alone are none', async () => {
    await expect(source().ask(await naming(LDAP), kit.issuing)).rejects.toThrow(/names neither a responder nor a list/);
  });

  it('may name lists of other certificates before the one that speaks about it, and each list is kept by its address', async () => {
    const scope = sequence(
      oid(OID.issuingDistributionPoint),
      boolean(true),
      octetString(encode(sequence(contents(TAG.primitive(2), Buffer.of(0xff))))),
    );
    await using ofAuthorities = await startPeer(() => ({
      type: 'application/pkix-crl',
      body: testCrl({ signer: kit.pki.issuing, now: kit.clock.now(), extensions: [scope] }),
    }));
    const certificate = await listedAt(ofAuthorities.url, peer.url);
    const lists = source();
    for (const _ of ['first', 'again']) expect(await lists.current(certificate, kit.issuing)).toMatchObject({ type: 'crl', status: 'good' });
    expect(ofAuthorities.asked()).toBe(1);
    expect(await lists.current(await listedAt(ofAuthorities.url), kit.issuing)).toMatchObject({ type: 'crl', status: 'unknown' });
  });
});

describe('an answer from stock', () => {
  const fromStock = async (times: Partial<NonNullable<typeof answer>> = {}): Promise<Certificate> => {
    const certificate = await naming(peer.url);
    const now = kit.clock.now();
    answer = { about: certificate, producedAt: now - 30 * MINUTE, thisUpdate: now - 30 * MINUTE, nextUpdate: now + 4 * DAY, ...times };
    return certificate;
  };
  const outcome = (promise: Promise<{ status: string }>): Promise<string> =>
    promise.then(
      ({ status }) => status,
      (error: unknown) => (error instanceof ServiceUnavailable ? error.reason : String(error)),
    );

  it.each([true, false])('is taken about CAs and units, and for a look at a signer, while it holds; nonce sent: %s', async (nonce) => {
    const certificate = await fromStock();
    expect(await outcome(source({ nonce }).current(certificate, kit.issuing))).toBe('good');
    expect(await outcome(source({ nonce }).ask(certificate, kit.issuing, { fromStock: true }))).toBe('good');
  });

  it('is no proof about a signer', async () => {
    const certificate = await fromStock();
    expect(await outcome(source().ask(certificate, kit.issuing))).toMatch(/was not made now/);
    expect(await outcome(source({ nonce: true }).ask(certificate, kit.issuing))).toMatch(/another nonce/);
  });

  it.each([
    ['that has ended', { nextUpdate: -MINUTE }, /does not hold now/],
    ['without an end', { nextUpdate: undefined }, /was not made now/],
    ['from the future', { producedAt: 10 * MINUTE, thisUpdate: 10 * MINUTE }, /was not made now/],
  ] as const)('%s is not taken', async (_, times, reason) => {
    const now = kit.clock.now();
    const shifted = Object.fromEntries(Object.entries(times).map(([name, by]) => [name, by === undefined ? undefined : now + by]));
    const certificate = await fromStock(shifted);
    expect(await outcome(source().current(certificate, kit.issuing))).toMatch(reason);
    expect(await outcome(source().ask(certificate, kit.issuing, { fromStock: true }))).toMatch(reason);
  });

  it('with the nonce of another request is not taken', async () => {
    const certificate = await fromStock({ nonce: Buffer.alloc(32, 7) });
    expect(await outcome(source({ nonce: true }).current(certificate, kit.issuing))).toMatch(/another nonce/);
  });

  it('that says revoked is believed', async () => {
    const certificate = await fromStock({ statuses: ['revoked'] });
    expect(await outcome(source().ask(certificate, kit.issuing, { fromStock: true }))).toBe('revoked');
    expect(() => verifyOcspResponse(ocspAnswer(kit, answer), { certificate, issuer: kit.issuing })).not.toThrow();
  });
});
