import 'reflect-metadata';

import { webcrypto } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';

import { acceptTimeStampResponse } from './time-stamp/time-stamp-response.js';
import { encode, integer, raw, sequence } from './der/der.js';
import { answerOcsp } from './development/answer-ocsp.js';
import { timeStampToken } from './development/answer-time-stamp.js';
import type { TrustServiceUnit } from './development/development-pki.js';
import { certificateId, encodeOcspRequest } from './ocsp/ocsp-request.js';
import { verifyOcspResponse } from './ocsp/ocsp-response.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { imprintOf, type TimeStampRequest } from './time-stamp/time-stamp-request.js';

// Our own checks are fast; pkijs is slow and shares no code with them. If both check a rule, they must agree.

const data = Buffer.from('the octets of a signature');
let kit: DevelopmentKit;
let foreign: DevelopmentKit;
beforeAll(async () => {
  pkijs.setEngine('node', new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never }));
  kit = await developmentKit();
  foreign = await developmentKit();
});

const agrees = async (ours: () => unknown, theirs: () => Promise<boolean>): Promise<boolean> => {
  const mine = await holds(() => Promise.resolve(ours() !== undefined));
  expect(await holds(theirs)).toBe(mine);
  return mine;
};
const holds = async (check: () => Promise<boolean>): Promise<boolean> => {
  try {
    return await check();
  } catch {
    return false;
  }
};
const schema = (der: Buffer): asn1js.AsnType => asn1js.fromBER(Uint8Array.from(der)).result;
const certificateOf = (der: Buffer): pkijs.Certificate => new pkijs.Certificate({ schema: schema(der) });

describe('time-stamp responses', () => {
  const request = (): TimeStampRequest => ({ hash: 'sha512', imprint: imprintOf('sha512', data), certificateRequested: true });
  const response = (unit: TrustServiceUnit, wanted = request()): Buffer =>
    encode(sequence(sequence(integer(0)), raw(timeStampToken(wanted, { unit, now: kit.clock.now(), randomness: kit.randomness }))));
  const judged = (der: Buffer): Promise<boolean> =>
    agrees(
      () => acceptTimeStampResponse(der, { request: request(), data, clock: kit.clock, trust: kit.trust, pool: [] }),
      async () => {
        const token = new pkijs.TimeStampResp({ schema: schema(der) });
        const signed = new pkijs.SignedData({ schema: token.timeStampToken?.content });
        const info = new pkijs.TSTInfo({ schema: schema(Buffer.from(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0))) });
        if (!Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView).equals(request().imprint)) return false;
        return signed.verify({
          signer: 0,
          checkChain: true,
          trustedCerts: [certificateOf(kit.root.der)],
          checkDate: new Date(kit.clock.now()),
          data: Uint8Array.from(data).buffer,
        });
      },
    );

  it('are judged alike, good ones and wrong ones', async () => {
    const good = response(kit.pki.timestamping);
    expect(await judged(good)).toBe(true);
    expect(await judged(response(foreign.pki.timestamping))).toBe(false);
    expect(await judged(response(kit.pki.timestamping, { ...request(), imprint: imprintOf('sha512', Buffer.from('else')) }))).toBe(false);
    const ended = await testUnit({ profile: PROFILES.timestamping(), issuer: kit.pki.root, now: kit.clock.now(), notAfter: kit.clock.now() - 1000 });
    expect(await judged(response(ended))).toBe(false);
    // Inside r and s. Of wrong headers, all of which we refuse, pkijs accepts some.
    for (const fromEnd of [60, 53, 46, 27, 20, 13, 6]) expect(await judged(damaged(good, good.length - fromEnd))).toBe(false);
  });
});

describe('OCSP responses', () => {
  const response = (responder: TrustServiceUnit): Promise<Buffer> =>
    answerOcsp(encodeOcspRequest(certificateId(kit.signer.serial, kit.issuing)), {
      pki: { ...kit.pki, responder },
      now: kit.clock.now(),
      lookUp: () => Promise.resolve({ status: 'good' }),
    });
  const judged = (der: Buffer): Promise<boolean> =>
    agrees(
      () => verifyOcspResponse(der, { certificate: kit.signer, issuer: kit.issuing }),
      async () => {
        const outer = new pkijs.OCSPResponse({ schema: schema(der) });
        const basic = new pkijs.BasicOCSPResponse({ schema: schema(Buffer.from(outer.responseBytes?.response.valueBlock.valueHexView ?? [])) });
        const { isForCertificate } = await basic.getCertificateStatus(certificateOf(kit.signer.der), certificateOf(kit.issuing.der));
        return isForCertificate && (await basic.verify({ trustedCerts: [certificateOf(kit.issuing.der), certificateOf(kit.root.der)] }));
      },
    );

  it('are judged alike, good ones and wrong ones', async () => {
    const good = await response(kit.pki.responder);
    expect(await judged(good)).toBe(true);
    expect(await judged(await response(foreign.pki.responder))).toBe(false);
    for (let at = 40; at < 140; at += 9) expect(await judged(damaged(good, at))).toBe(false);
  });
});

const damaged = (der: Buffer, at: number): Buffer => {
  const wrong = Buffer.from(der);
  wrong[at] = (wrong[at] ?? 0) ^ 1;
  return wrong;
};
