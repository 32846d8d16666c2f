import { Certificate } from '#signatures/pki';
import { signatureAlgorithm, signWith } from '#signatures/pki';
import { bitString, contents, type DerNode, encode, integer, raw, sequence, TAG, tagged, time } from '#signatures/pki';
import type { TrustServiceUnit } from '#signatures/pki';

const HOUR = 3_600_000;
const HASH = 'sha256';

export interface TestCrl {
  /** Signs the list. */
  readonly signer: TrustServiceUnit;
  /** Whose list it claims to be. Default: the signer. */
  readonly issuer?: TrustServiceUnit;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds. Default: an hour after `now`. */
  readonly nextUpdate?: number;
  readonly revoked?: readonly Certificate[];
  readonly extensions?: readonly DerNode[];
  /** Default: 1, which says version 2. */
  readonly version?: number;
  /** Default: the one of the signer's key. */
  readonly algorithm?: DerNode;
}

/** A list of revoked certificates that the development trust service would never issue. DER. */
export const testCrl = ({ signer, issuer = signer, now, nextUpdate = now + HOUR, revoked = [], extensions = [], ...otherwise }: TestCrl): Buffer => {
  const { version = 1, algorithm = signatureAlgorithm(Certificate.parse(signer.certificate).publicKey, HASH) } = otherwise;
  const entries = revoked.map(({ serial }) => sequence(contents(TAG.integer, serial), time(now)));
  const tbs = sequence(
    integer(version),
    algorithm,
    raw(Certificate.parse(issuer.certificate).subject),
    time(now),
    time(nextUpdate),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    ...(extensions.length > 0 ? [tagged(0, sequence(...extensions))] : []),
  );
  return encode(sequence(tbs, algorithm, bitString(signWith(signer.privateKey, HASH, encode(tbs)))));
};
