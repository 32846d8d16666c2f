import { hash } from 'node:crypto';

import { Certificate } from '../certificates/certificate.js';
import { signatureAlgorithm, signWith } from '../cms/algorithms.js';
import { bitString, contents, encode, integer, octetString, oid, raw, sequence, tagged, time } from '../der/der.js';
import { OID } from '../der/oids.js';
import type { TrustServiceUnit } from './development-pki.js';

/** The life of a list of the development root, in milliseconds. */
const CRL_LIFE = 24 * 3_600_000;
const HASH = 'sha384';

/** The root's CRL of that moment (epoch milliseconds), DER: nothing that the development root issued is ever revoked. */
export const issueRootCrl = (root: TrustServiceUnit, now: number): Buffer => {
  const issuer = Certificate.parse(root.certificate);
  const keyIdentifier = contents(0x80, hash('sha1', issuer.keyOctets, 'buffer'));
  const extensions = [
    sequence(oid(OID.authorityKeyIdentifier), octetString(encode(sequence(keyIdentifier)))),
    sequence(oid(OID.crlNumber), octetString(encode(integer(Math.floor(now / 1000))))),
  ];
  const algorithm = signatureAlgorithm(issuer.publicKey, HASH);
  const tbs = sequence(integer(1), algorithm, raw(issuer.subject), time(now), time(now + CRL_LIFE), tagged(0, sequence(...extensions)));
  return encode(sequence(tbs, algorithm, bitString(signWith(root.privateKey, HASH, encode(tbs)))));
};
