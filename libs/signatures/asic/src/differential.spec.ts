import 'reflect-metadata';

import { webcrypto } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';

import { assembleSignature } from './assemble-signature.js';
import { type KeyType, SigningKit } from '#testkit/asic/signing-kit';
import { checkSignature } from './verify/check-signature.js';
import { Findings } from './verify/report.js';

const KEY_TYPES: readonly KeyType[] = ['P-256', 'P-384', 'RSA'];

let kit: SigningKit;
beforeAll(async () => {
  pkijs.setEngine('node', new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never }));
  kit = await SigningKit.open();
});

const schema = (der: Buffer): asn1js.AsnType => asn1js.fromBER(Uint8Array.from(der)).result;

const ours = (p7s: Buffer, manifest: Buffer): boolean => {
  try {
    const findings = new Findings();
    checkSignature(p7s, manifest, findings);
    return findings.list.length === 0;
  } catch {
    return false;
  }
};

/** The signature and its chain, as pkijs sees them: no level, no time-stamp, no revocation. */
const theirs = async (p7s: Buffer, manifest: Buffer): Promise<boolean> => {
  try {
    const signed = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: schema(p7s) }).content });
    const trustedCerts = [new pkijs.Certificate({ schema: schema(kit.pki.root.certificate) })];
    return await signed.verify({
      signer: 0,
      data: Uint8Array.from(manifest).buffer,
      checkChain: true,
      trustedCerts,
      checkDate: new Date(kit.clock.now()),
    });
  } catch {
    return false;
  }
};

describe('a signature', () => {
  it.each(KEY_TYPES)('of a %s key is judged by pkijs as by us, right or damaged', async (type) => {
    const signed = kit.sign(await kit.signer(type));
    const { manifest, toBeSigned } = signed.prepared;
    // without revocation data, which pkijs would judge by the machine's clock
    const p7s = assembleSignature({ ...signed.signer, toBeSigned, signature: signed.signature, evidence: await kit.evidence(signed, 'T') });
    expect([ours(p7s, manifest), await theirs(p7s, manifest)]).toEqual([true, true]);

    const longer = Buffer.concat([manifest, Buffer.from(' ')]);
    expect([ours(p7s, longer), await theirs(p7s, longer)]).toEqual([false, false]);
    for (const part of [toBeSigned.subarray(4), signed.signature.subarray(-32)]) {
      for (let at = p7s.indexOf(part) + 3; at < p7s.indexOf(part) + part.length; at += 29) {
        const damaged = Buffer.from(p7s);
        damaged[at] = (damaged[at] ?? 0) ^ 1;
        expect([at, ours(damaged, manifest), await theirs(damaged, manifest)]).toEqual([at, false, false]);
      }
    }
  });
});
