import { createPublicKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { type HashName, verifiesUnder } from '#signatures/pki';
import { canRun } from '#testkit/pki/foreign-programs';
import { hasWycheproof, WYCHEPROOF_VECTORS } from '#testkit/programs/wycheproof/vectors';

import { derFromP1363 } from './verify-device-signature.js';

interface Group {
  readonly type: string;
  readonly sha: string;
  /** RSASSA-PSS. */
  readonly mgfSha?: string;
  readonly sLen?: number;
  readonly publicKeyPem: string;
  readonly tests: readonly { readonly tcId: number; readonly comment: string; readonly msg: string; readonly sig: string; readonly result: string }[];
}

const HASHES: Readonly<Record<string, HashName>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };
/** Bytes of r and s together, by OpenSSL's name of the curve, as a phone sends them. */
const P1363_BYTES: Readonly<Record<string, number>> = { prime256v1: 64, secp384r1: 96, secp521r1: 132 };

const describeHere = canRun(hasWycheproof() ? [] : ['node testkit/programs/wycheproof/fetch.ts']) ? describe : describe.skip;

/** How the product verifies the signatures of a group; undefined for what it never takes: other hashes, and a mask of another hash. */
const verifierOf = ({ type, sha, mgfSha = sha, sLen, publicKeyPem }: Group): ((data: Buffer, signature: Buffer) => boolean) | undefined => {
  const hash = HASHES[sha];
  if (!hash || mgfSha !== sha) return undefined;
  const key = createPublicKey(publicKeyPem);
  if (type.startsWith('Rsa')) {
    const saltLength = type.startsWith('RsassaPss') ? { saltLength: sLen ?? 0 } : {};
    return (data, signature) => verifiesUnder({ key: 'rsa', hash, ...saltLength }, { data, key, signature });
  }
  const inDer = (data: Buffer, signature: Buffer): boolean => verifiesUnder({ key: 'ec', hash }, { data, key, signature });
  if (!type.includes('P1363')) return inDer;
  const length = P1363_BYTES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  return (data, signature) => signature.length === length && inDer(data, derFromP1363(signature));
};

describeHere('the vectors of Wycheproof', () => {
  const counts = { files: 0, vectors: 0 };
  const wrong: string[] = [];

  it('end as they say: ECDSA on three curves in DER and P1363, RSA by PKCS#1 v1.5 and PSS', () => {
    for (const file of readdirSync(WYCHEPROOF_VECTORS).filter((name) => name.endsWith('.json'))) {
      const { testGroups } = JSON.parse(readFileSync(join(WYCHEPROOF_VECTORS, file), 'utf8')) as { testGroups: readonly Group[] };
      counts.files += 1;
      for (const group of testGroups) {
        const verify = verifierOf(group);
        for (const { tcId, comment, msg, sig, result } of verify ? group.tests : []) {
          counts.vectors += 1;
          const accepted = verify?.(Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'));
          // "acceptable" may end either way
          if (result !== 'acceptable' && accepted !== (result === 'valid')) wrong.push(`${file} ${tcId}: ${result}, ${comment}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(counts).toEqual({ files: 53, vectors: 9362 });
  });
});
