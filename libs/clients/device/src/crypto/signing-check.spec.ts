import { createHash } from 'node:crypto';

import { atSigningTime as atSigningTimeOfService, prepareSignature, verifyDeviceSignature } from '../../../../signatures/asic/src/index.js';
import { SigningKit } from '../../../../../testkit/asic/signing-kit.js';
import { DevelopmentCertificateAuthority } from '../../../../signatures/pki/src/index.js';

import type { SessionRequest } from '../api/session-request.js';
import { type Bytes, fromBase64, toBase64 } from './bytes.js';
import { certificationRequest } from './certification-request.js';
import { certifiesKey } from './certified-key.js';
import { atSigningTime, checkSigning } from './signing-check.js';
import { makeDeviceKeys, type WebCryptoKeys } from './web-crypto-keys.js';

/** A request with everything that a signature needs. */
type Shown = SessionRequest & { readonly manifest: string };

const HASH = createHash('sha512').update('the document').digest();
const REQUEST = { relyingParty: 'Bank & "Co" <1>', title: 'Laen nr 7 – ‘õ’' };
const NAMES = ['contract.pdf', 'a+b', '100%', 'q"<>&.txt', "it's (1)!*.txt", 'leping õ.pdf', '📄.pdf', ' a b '];

const shownDocument = (name: string) => ({ name, hash: HASH.toString('hex') });

/** The scan that the service itself prepares for a phone with a certificate of its development CA: the phone's check runs against the real service. */
describe('the bytes that a document signature covers', () => {
  let keys: WebCryptoKeys;
  let certificate: Bytes;
  let now: number;

  beforeAll(async () => {
    const kit = await SigningKit.open();
    keys = await makeDeviceKeys();
    now = kit.clock.now();
    const issued = await new DevelopmentCertificateAuthority(kit.pki, kit.clock, kit.randomness).issue({
      csr: Buffer.from(await certificationRequest(keys.signing, 'Chrome, Android')),
      holder: { givenName: 'Mari', familyName: 'Männik', personalCode: '47101010033', country: 'EE' },
    });
    certificate = Uint8Array.from(issued.certificate);
  });

  it('name a certificate that the phone accepts only for its own key', async () => {
    expect(await certifiesKey(certificate, keys.signing)).toBe(true);
    const { signing: other } = await makeDeviceKeys();
    expect(await certifiesKey(certificate, other)).toBe(false);
    expect(await certifiesKey(certificate.subarray(0, -1), keys.signing)).toBe(false);
  });

  const request = (signedDataName = 'contract.pdf', change: Partial<Shown> = {}): Shown => {
    const documents = [{ name: signedDataName, hash: HASH }];
    const { manifest, toBeSigned, algorithm } = prepareSignature({ documents, request: REQUEST, certificate, signingTime: now });
    return {
      sessionId: 's',
      signatureType: 'SIGNING',
      expiresAt: 0,
      relyingPartyName: REQUEST.relyingParty,
      title: REQUEST.title,
      signedDataName,
      signedDataHash: HASH.toString('hex'),
      manifest: manifest.toString('base64'),
      toBeSigned: toBeSigned.toString('base64'),
      signatureAlgorithm: algorithm,
      ...change,
    };
  };

  it.each(NAMES)('is the attributes over the manifest of the document shown: %s', async (name) => {
    const shown = request(name);
    expect(toBase64((await checkSigning(shown, certificate, now))!)).toBe(shown.toBeSigned);
  });

  it('gives a signature that the service verifies', async () => {
    const { toBeSigned } = request();
    const bytes = await checkSigning(request(), certificate, now);
    const signature = Buffer.from(await keys.signing.sign(bytes!));
    expect(verifyDeviceSignature({ toBeSigned: Buffer.from(toBeSigned, 'base64'), certificate, signature })).toBeDefined();
  });

  it('covers each of several documents, in the order shown', async () => {
    const documents = NAMES.map(shownDocument);
    const { manifest, toBeSigned } = prepareSignature({
      documents: NAMES.map((name) => ({ name, hash: HASH })),
      request: REQUEST,
      certificate,
      signingTime: now,
    });
    const shown = { ...request(), manifest: manifest.toString('base64'), toBeSigned: toBeSigned.toString('base64') };
    expect(await checkSigning({ ...shown, documents }, certificate, now)).toBeDefined();
    const [first = shownDocument('first'), ...rest] = documents;
    for (const wrong of [rest, [...rest, first], [...documents, first], [{ ...first, hash: '00'.repeat(64) }, ...rest]])
      expect(await checkSigning({ ...shown, documents: wrong }, certificate, now)).toBeUndefined();
  });

  it('gets the time of the PIN as the service sets it, and stays the same otherwise', async () => {
    const checked = (await checkSigning(request(), certificate, now))!;
    for (const seconds of [0, 1, 59, 600]) {
      const at = Math.floor(now / 1000) + seconds;
      expect(toBase64(atSigningTime(checked, at)!)).toBe(atSigningTimeOfService(checked, at * 1000).toString('base64'));
    }
    expect(toBase64(checked)).toBe(request().toBeSigned);
  });

  it.each([-601, 601, Number.NaN, 1e20])('keeps its time when the service names another one that is %p seconds away', async (seconds) => {
    const checked = (await checkSigning(request(), certificate, now))!;
    expect(atSigningTime(checked, Math.floor(now / 1000) + seconds)).toBeUndefined();
  });

  it('may have its manifest as text too', async () => {
    const manifest = Buffer.from(request().manifest, 'base64').toString();
    expect(await checkSigning(request('contract.pdf', { manifest }), certificate, now)).toBeDefined();
  });

  it.each<[string, () => Partial<Shown>]>([
    ['another name', () => ({ signedDataName: 'other.pdf' })],
    ['another hash', () => ({ signedDataHash: '00'.repeat(64) })],
    ['another relying party', () => ({ relyingPartyName: 'Bank' })],
    ['another title', () => ({ title: 'Loan 8' })],
    ['a second document that is not signed', () => ({ documents: [shownDocument('contract.pdf'), shownDocument('other.pdf')] })],
    ['no documents', () => ({ documents: [] })],
    ['a hash in capitals', () => ({ signedDataHash: HASH.toString('hex').toUpperCase() })],
    ['no hash', () => ({ signedDataHash: '' })],
    ['another manifest', () => ({ manifest: request('other.pdf').manifest })],
    ['the attributes of another document', () => ({ toBeSigned: request('other.pdf').toBeSigned })],
    ['another algorithm', () => ({ signatureAlgorithm: 'RS512' })],
    ['attributes that are none', () => ({ toBeSigned: toBase64(Uint8Array.of(0x31, 0x02, 0x05, 0x00)) })],
    ['bytes that are no DER', () => ({ toBeSigned: 'AAAA' })],
    ['a login statement', () => ({ toBeSigned: btoa('{"sessionId":"x"}') })],
  ])('is refused with %s', async (_, change) => {
    expect(await checkSigning(request('contract.pdf', change()), certificate, now)).toBeUndefined();
  });

  it('is refused for the certificate of another phone, or a time that is not now', async () => {
    expect(await checkSigning(request(), Uint8Array.from([...certificate, 0]), now)).toBeUndefined();
    expect(await checkSigning(request(), certificate, now + 11 * 60_000)).toBeUndefined();
    expect(await checkSigning(request(), certificate, now + 9 * 60_000)).toBeDefined();
  });

  it('is refused when a bit of any byte is flipped', async () => {
    const shown = request();
    const bytes = fromBase64(shown.toBeSigned)!;
    const hex = Buffer.from(bytes).toString('hex');
    // The time has a rule of its own; issuer and serial only repeat the certificate's hash.
    const time = hex.indexOf('170d') / 2;
    const hash = hex.indexOf('0420', hex.indexOf('10910022f')) / 2;
    for (let at = 0; at < bytes.length; at += 1) {
      if ((at >= time && at < time + 15) || at > hash + 33) continue;
      const turned = bytes.slice();
      turned[at] = (turned[at] ?? 0) ^ 1;
      const change = { toBeSigned: toBase64(turned) };
      expect({ at, bytes: await checkSigning(request('contract.pdf', change), certificate, now) }).toEqual({ at, bytes: undefined });
    }
  });
});
