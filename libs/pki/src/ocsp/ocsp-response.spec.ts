import { hash, randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { Certificate } from '../certificates/certificate.js';
import { signatureAlgorithm, signWith } from '../cms/algorithms.js';
import { bitString, contents, encode, enumerated, generalizedTime, octetString, oid, raw, sequence, TAG, tagged } from '../der/der.js';
import { OID } from '../der/oids.js';
import { answerOcsp, type CertificateState } from '../development/answer-ocsp.js';
import type { TrustServiceUnit } from '../development/development-pki.js';
import { type DevelopmentKit, developmentKit } from '../testing/development-kit.js';
import { resignedResponse, RIGHT_PSS, WRONG_PSS } from '../testing/resigned.js';
import { newKey } from '../testing/signing-requests.js';
import { PROFILES, testUnit, withExtensions } from '../testing/test-certificates.js';
import { certificateId, encodeCertificateId, encodeOcspRequest, nonceExtension } from './ocsp-request.js';
import { BadOcspResponse, verifyOcspResponse } from './ocsp-response.js';

let kit: DevelopmentKit;
const nonce = randomBytes(32);
beforeAll(async () => {
  kit = await developmentKit();
});

interface Otherwise {
  readonly responder?: TrustServiceUnit;
  readonly about?: Certificate;
  readonly nonce?: Buffer | undefined;
  readonly now?: number;
  readonly state?: CertificateState;
}
const response = (otherwise: Otherwise = {}): Promise<Buffer> => {
  const { responder = kit.pki.responder, about = kit.signer, now = kit.clock.now(), state = { status: 'good' } } = otherwise;
  const sent = 'nonce' in otherwise ? otherwise.nonce : nonce;
  return answerOcsp(encodeOcspRequest(certificateId(about.serial, kit.issuing), sent), {
    pki: { ...kit.pki, responder },
    now,
    lookUp: () => Promise.resolve(state),
  });
};
/** A response of the right responder with times of its own. Epoch milliseconds. */
const timed = ({ producedAt, thisUpdate, nextUpdate }: { producedAt: number; thisUpdate: number; nextUpdate?: number }): Buffer => {
  const responder = Certificate.parse(kit.pki.responder.certificate);
  const tbs = sequence(
    tagged(2, octetString(hash('sha1', responder.keyOctets, 'buffer'))),
    generalizedTime(producedAt),
    sequence(
      sequence(
        encodeCertificateId(certificateId(kit.signer.serial, kit.issuing)),
        contents(TAG.primitive(0), Buffer.alloc(0)),
        generalizedTime(thisUpdate),
        ...(nextUpdate === undefined ? [] : [tagged(0, generalizedTime(nextUpdate))]),
      ),
    ),
    tagged(1, sequence(nonceExtension(encode(octetString(nonce))))),
  );
  const signature = signWith(kit.pki.responder.privateKey, 'sha256', encode(tbs));
  const basic = sequence(tbs, signatureAlgorithm(responder.publicKey, 'sha256'), bitString(signature), tagged(0, sequence(raw(responder.der))));
  return encode(sequence(enumerated(0), tagged(0, sequence(oid(OID.ocspBasic), octetString(encode(basic))))));
};
const verify = (der: Uint8Array) => verifyOcspResponse(der, { certificate: kit.signer, issuer: kit.issuing, nonce });
const refuses = (der: Uint8Array, reason: RegExp): void => {
  expect(() => verify(der)).toThrow(BadOcspResponse);
  expect(() => verify(der)).toThrow(reason);
};

describe('an OCSP response', () => {
  it('is accepted from the responder of the signer’s CA', async () => {
    const now = kit.clock.now();
    expect(verify(await response())).toMatchObject({ status: 'good', producedAt: now, thisUpdate: now, nextUpdate: undefined });
    expect(verify(await response({ state: { status: 'revoked', at: now } })).status).toBe('revoked');
    expect(verify(await response({ state: { status: 'unknown' } })).status).toBe('unknown');
  });

  it('is accepted from the CA itself', async () => expect(verify(await response({ responder: kit.pki.issuing })).status).toBe('good'));

  it('must be about the certificate asked for', async () => {
    refuses(await response({ about: kit.issuing }), /about another certificate/);
  });

  it('must repeat the nonce', async () => {
    refuses(await response({ nonce: randomBytes(32) }), /another nonce/);
    refuses(await response({ nonce: undefined }), /another nonce/);
  });

  it.each([
    ['has ended', { notAfter: -1000 }, PROFILES.responder, /had expired/],
    ['may not answer', {}, () => withExtensions(PROFILES.responder(), [OID.extKeyUsage]), /may not sign OCSP/],
    ['would have to be looked up itself', {}, () => withExtensions(PROFILES.responder(), [OID.ocspNoCheck]), /own revocation/],
  ] as const)('is refused when the responder %s', async (_, dates, profile, reason) => {
    const now = kit.clock.now();
    const until = 'notAfter' in dates ? { notAfter: now + dates.notAfter } : {};
    refuses(await response({ responder: await testUnit({ profile: profile(), issuer: kit.pki.issuing, now, ...until }) }), reason);
  });

  it('is refused from a responder of another CA, or from a signer', async () => {
    const now = kit.clock.now();
    const foreign = await developmentKit(now);
    refuses(await response({ responder: foreign.pki.responder }), /not the issuing CA's own/);
    refuses(await response({ responder: await testUnit({ profile: PROFILES.responder(), issuer: kit.pki.root, now }) }), /not the issuing CA's own/);
    refuses(await response({ responder: await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now }) }), /may not sign OCSP/);
  });

  it('says a status that was known when the response was made, and not replaced by then (RFC 6960 §2.4)', () => {
    const now = kit.clock.now();
    const second = 1000;
    expect(verify(timed({ producedAt: now, thisUpdate: now }))).toMatchObject({ thisUpdate: now, nextUpdate: undefined });
    expect(verify(timed({ producedAt: now, thisUpdate: now - second, nextUpdate: now }))).toMatchObject({
      thisUpdate: now - second,
      nextUpdate: now,
    });
    refuses(timed({ producedAt: now, thisUpdate: now + second }), /times contradict/);
    refuses(timed({ producedAt: now, thisUpdate: now + second, nextUpdate: now + 2 * second }), /times contradict/);
    refuses(timed({ producedAt: now, thisUpdate: now - 2 * second, nextUpdate: now - second }), /times contradict/);
  });

  it('with an error status is refused', async () => {
    refuses(await answerOcsp(Buffer.from('junk'), { pki: kit.pki, now: 0, lookUp: () => Promise.reject(new Error('not asked')) }), /status 1/);
    refuses(Buffer.from('<html>'), /malformed/);
    refuses(Buffer.alloc(70_000), /more than 65536/);
  });

  it('survives the change of any one byte: refused, or accepted with the same content', async () => {
    const good = await response();
    for (let at = 0; at < good.length; at += 1) {
      const wrong = Buffer.from(good);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      try {
        expect(verify(wrong)).toMatchObject({ status: 'good', producedAt: kit.clock.now() });
      } catch (error) {
        expect(error).toBeInstanceOf(BadOcspResponse);
      }
    }
  });
});

describe('an OCSP response signed by RSASSA-PSS', () => {
  let responder: TrustServiceUnit;
  let plain: Buffer;
  beforeAll(async () => {
    responder = await testUnit({ profile: PROFILES.responder(), issuer: kit.pki.issuing, now: kit.clock.now(), keys: newKey.RSA() });
    plain = await response({ responder });
  });

  it('is accepted', () => {
    expect(verify(plain).status).toBe('good');
    const signed = resignedResponse(plain, responder.privateKey, RIGHT_PSS);
    expect([verify(signed).status, signed.equals(plain)]).toEqual(['good', false]);
  });

  it.each(WRONG_PSS)('is refused with $wrong', (how) => {
    refuses(resignedResponse(plain, responder.privateKey, how), /signature is wrong|outdated algorithm/);
  });
});

describe('the development responder', () => {
  it('answers unknown for a certificate of another CA, and looks nothing up', async () => {
    const foreign = await developmentKit(kit.clock.now());
    const request = encodeOcspRequest(certificateId(foreign.signer.serial, foreign.issuing));
    const answer = await answerOcsp(request, { pki: kit.pki, now: kit.clock.now(), lookUp: () => Promise.reject(new Error('not asked')) });
    // CertStatus (RFC 6960 §4.2.1): [2] NULL is unknown, [0] NULL would be good. It follows the CertID, which ends with the serial number.
    const end = answer.indexOf(foreign.signer.serial) + foreign.signer.serial.length;
    expect(answer.subarray(end, end + 2).toString('hex')).toBe('8200');
  });
});
