import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

import type { Certificate } from '../certificates/certificate.js';
import { digestAlgorithm, findHash, signatureAlgorithm, signWith, verifies } from '../cms/algorithms.js';
import { type DerNode, integer, nul, octetString, oid, sequence } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import { CMP_OID, type CmpMessage } from './cmp-message.js';

/** The answer lacks the required protection, so anyone may have sent it. */
export class BadProtection extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadProtection';
  }
}

/** How the messages of one client are protected, and the answers checked (RFC 4210 §5.1.3). */
export interface CmpProtection {
  /** DER Name of the client. */
  readonly sender: Buffer;
  readonly senderKid: Buffer | undefined;
  readonly algorithm: DerNode;
  readonly extraCertificates: readonly Certificate[];
  protect(protectedPart: Buffer): Buffer;
  /** Throws {@link BadProtection}, MalformedDer. `at`: epoch milliseconds. */
  verify(message: CmpMessage, at: number): void;
}

export interface SharedSecret {
  /** The name under which the authority knows the secret. */
  readonly reference: string;
  readonly secret: string;
}

const ITERATIONS = 10_000;
/** The most iterations that an answer may name, since they cost time. */
const MAX_ITERATIONS = 200_000;
const EMPTY_NAME = Buffer.of(0x30, 0);

const MACS: Readonly<Record<string, string>> = {
  [CMP_OID.hmacSha1]: 'sha1',
  [CMP_OID.hmacWithSha1]: 'sha1',
  [CMP_OID.hmacWithSha256]: 'sha256',
  [CMP_OID.hmacWithSha384]: 'sha384',
  [CMP_OID.hmacWithSha512]: 'sha512',
};

/** Messages under a secret that client and authority share (RFC 4210 §5.1.3.1, RFC 9481 §6.1.1). `salt`: 16 random bytes. */
export const macProtection = ({ reference, secret }: SharedSecret, salt: Buffer): CmpProtection => {
  const key = passwordKey({ hash: 'sha256', secret, salt, iterations: ITERATIONS });
  return {
    sender: EMPTY_NAME,
    senderKid: Buffer.from(reference),
    algorithm: sequence(
      oid(CMP_OID.passwordBasedMac),
      sequence(octetString(salt), digestAlgorithm('sha256'), integer(ITERATIONS), sequence(oid(CMP_OID.hmacWithSha256), nul())),
    ),
    extraCertificates: [],
    protect: (part) => createHmac('sha256', key).update(part).digest(),
    verify({ protectionAlgorithm, protection, protectedPart }) {
      if (!protectionAlgorithm || !protection) throw new BadProtection('the answer is not protected');
      const mac = readMac(protectionAlgorithm, secret);
      if (!mac) throw new BadProtection('the answer is protected in a way that is not known here, and not by the shared secret');
      const expected = createHmac(mac.hash, mac.key).update(protectedPart).digest();
      if (expected.length !== protection.length || !timingSafeEqual(expected, protection))
        throw new BadProtection('the answer is not protected by the shared secret');
    },
  };
};

/** Undefined for another algorithm than PasswordBasedMac, or one too weak or too costly. */
const readMac = (algorithm: DerReader, secret: string): { readonly hash: string; readonly key: Buffer } | undefined => {
  const fields = algorithm.fields();
  if (fields.take().oid() !== CMP_OID.passwordBasedMac) return undefined;
  const parameters = fields.take().fields();
  const salt = parameters.take().octets();
  const owf = findHash(parameters.take());
  const iterations = parameters.take().small();
  const mac = MACS[parameters.take().fields().take().oid()];
  if (!owf || !mac || iterations < 1 || iterations > MAX_ITERATIONS) return undefined;
  return { hash: mac, key: passwordKey({ hash: owf, secret, salt, iterations }) };
};

/** RFC 4211 §4.4: applies the one-way function to secret and salt, `iterations` times. */
const passwordKey = ({ hash: name, secret, salt, iterations }: { hash: string; secret: string; salt: Buffer; iterations: number }): Buffer => {
  let key: Buffer = Buffer.concat([Buffer.from(secret), salt]);
  for (let count = 0; count < iterations; count += 1) key = hash(name, key, 'buffer');
  return key;
};

export interface SigningIdentity {
  readonly key: KeyObject;
  /** The certificate of the key first, its chain after it. */
  readonly certificates: readonly [Certificate, ...Certificate[]];
  /** Only these certificates may sign the authority's answers, since a phone's certificate has the same root. */
  readonly answeredBy: readonly Certificate[];
}

/** Messages signed by a key with a certificate (RFC 4210 §5.1.3.3). */
export const signatureProtection = ({ key, certificates, answeredBy }: SigningIdentity): CmpProtection => {
  const [own] = certificates;
  const digest = own.publicKey.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'sha384' : 'sha256';
  const identifier = own.extensions.get(OID.subjectKeyIdentifier)?.value;
  return {
    sender: own.subject,
    senderKid: identifier && DerReader.parse(identifier, 256).octets(),
    algorithm: signatureAlgorithm(own.publicKey, digest),
    extraCertificates: certificates,
    protect: (part) => signWith(key, digest, part),
    verify({ protectionAlgorithm, protection, protectedPart }, at) {
      if (!protectionAlgorithm || !protection) throw new BadProtection('the answer is not protected');
      const signer = answeredBy.find((one) => verifies(protectionAlgorithm, { data: protectedPart, key: one.publicKey, signature: protection }));
      if (!signer) throw new BadProtection('the answer is signed by none of the certificates that may sign answers');
      if (!signer.isValidAt(at)) throw new BadProtection('the certificate that signed the answer has ended');
    },
  };
};
