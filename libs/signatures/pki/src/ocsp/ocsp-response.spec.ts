import { randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { answerOcsp, type CertificateState } from '../development/answer-ocsp.js';
import type { TrustServiceUnit } from '../development/development-pki.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { resignedResponse, RIGHT_PSS, WRONG_PSS } from '#testkit/pki/resigned';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { certificateId, encodeOcspRequest } from './ocsp-request.js';
import { BadOcspResponse, verifyOcspResponse } from './ocsp-response.js';

let kit: DevelopmentKit;
const nonce = randomBytes(32);
beforeAll(async () => {
  kit = await developmentKit();
});

interface Otherwise {
  readonly responder?: TrustServiceUnit;
  readonly state?: CertificateState;
}
const response = ({ responder = kit.pki.responder, state = { status: 'good' } }: Otherwise = {}): Promise<Buffer> =>
  answerOcsp(encodeOcspRequest(certificateId(kit.signer.serial, kit.issuing), nonce), {
    pki: { ...kit.pki, responder },
    now: kit.clock.now(),
    lookUp: () => Promise.resolve(state),
  });
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

  it('is refused from the responder of another trust service', async () => {
    const foreign = await developmentKit(kit.clock.now());
    refuses(await response({ responder: foreign.pki.responder }), /not the issuing CA's own/);
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
