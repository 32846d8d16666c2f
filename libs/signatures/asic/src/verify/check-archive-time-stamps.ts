import {
  BadCrl,
  BadOcspResponse,
  BadTimeStamp,
  type Certificate,
  type DerReader,
  endOfTimeStamp,
  MalformedDer,
  readSignedData,
  type TrustStore,
  type VerifiedTimeStamp,
  verifyCrl,
  verifyOcspResponse,
  verifyTimeStampToken,
  withIssuers,
  withValidationData,
} from '#signatures/pki';

import { type ArchiveTimeStamp, namesTheSame, writeArchiveManifest } from '../archive/archive-manifest.js';
import type { ContainerParts } from './container-parts.js';
import { checkAuthorities } from './check-revocation.js';
import type { ReadSignature } from './check-signature.js';
import type { Findings } from './report.js';
import { readMaterial } from './revocation-material.js';
import type { SignerStatement } from './signer-statement.js';

/** A verified archive time-stamp. */
export interface ArchiveProof extends VerifiedTimeStamp {
  /** When it proves nothing any more, unless another one covers it. Epoch milliseconds. */
  readonly endsAt: number;
  /** The statements in the token, complete RevocationInfoChoices. */
  readonly crls: readonly Buffer[];
}

export interface ArchiveScope {
  readonly parts: ContainerParts;
  readonly signature: ReadSignature;
  readonly timeStamp: VerifiedTimeStamp | undefined;
  readonly statement: SignerStatement | undefined;
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
}

const MAX_TOKEN_BYTES = 1024 * 1024;

/**
 * Level LTA (EN 319 162-1 §A.7): each archive time-stamp covers the signature, all documents and every archive time-stamp before it. It was made after
 * them, while they still held. The last one holds now. Answers the archive time-stamps, oldest first; none when one of them is wrong.
 */
export const checkArchiveTimeStamps = (scope: ArchiveScope, findings: Findings): readonly ArchiveProof[] => {
  const { archive } = scope.parts;
  const proofs = archive.map((one, at) => checkOne(one, archive.slice(0, at), scope, findings)).filter((proof) => proof !== undefined);
  if (archive.length === 0 || proofs.length < archive.length) return [];
  checkOrder(proofs, scope, findings);
  checkEnds(proofs, scope, findings);
  return proofs;
};

const checkOne = (
  { manifest, token }: ArchiveTimeStamp,
  earlier: readonly ArchiveTimeStamp[],
  { parts, signature, trust }: ArchiveScope,
  findings: Findings,
): ArchiveProof | undefined => {
  if (!parts.manifest) return undefined;
  const { manifestBytes, signatureBytes } = parts;
  const expected = writeArchiveManifest({ manifest: manifestBytes, signature: signatureBytes, documents: parts.manifest.documents, earlier });
  if (!namesTheSame(manifest, expected)) {
    findings.add('archive-manifest', 'an archive manifest does not name all that lies in the container before it, in the form that is known here');
    return undefined;
  }
  if (!manifest.equals(expected)) {
    findings.add('archive-changed', 'something that an archive time-stamp covers was changed after it');
    return undefined;
  }
  try {
    const { certificates } = signature.signedData;
    const verified = verifyTimeStampToken(token, manifest, { trust, pool: certificates, maxBytes: MAX_TOKEN_BYTES });
    const crls = readSignedData(token, MAX_TOKEN_BYTES).crls ?? [];
    const used = crls.filter((statement) => isAbout(statement, verified.chain)).map(({ bytes }) => bytes);
    // the unit's signature covers neither certificates nor statements, so anyone could add some
    if (!withValidationData(token, { certificates: verified.chain, crls: used }).equals(token)) {
      findings.add('archive-time-stamp', 'an archive time-stamp holds a certificate or a statement that nothing in it uses, or in another form');
      return undefined;
    }
    checkAuthorities([verified.chain], { material: readMaterial(crls), at: verified.genTime }, findings);
    return { ...verified, endsAt: endOfTimeStamp(verified, MAX_TOKEN_BYTES), crls: used };
  } catch (error) {
    if (!(error instanceof BadTimeStamp)) throw error;
    findings.add('archive-time-stamp', `an archive time-stamp is wrong: ${error.message}`);
    return undefined;
  }
};

/** Whether a statement is a valid one of an authority of the chain, about a certificate in it. */
const isAbout = (statement: DerReader, chain: readonly Certificate[]): boolean => {
  const { responses, lists } = readMaterial([statement]);
  return withIssuers(chain).some(
    ([certificate, issuer]) =>
      lists.some((list) => holds(() => verifyCrl(list, issuer))) ||
      responses.some((response) => holds(() => verifyOcspResponse(response, { certificate, issuer }))),
  );
};

const holds = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof BadCrl || error instanceof BadOcspResponse || error instanceof MalformedDer) return false;
    throw error;
  }
};

/** Units and responders count whole seconds. */
const checkOrder = (proofs: readonly ArchiveProof[], { timeStamp, statement }: ArchiveScope, findings: Findings): void => {
  const times = [timeStamp?.genTime ?? -Infinity, ...proofs.map(({ genTime }) => genTime)];
  const inOrder = times.slice(1).every((time, at) => time >= (times[at] ?? -Infinity));
  findings.require(inOrder, 'time-order', 'an archive time-stamp is older than the time-stamp before it');
  const [first] = proofs;
  findings.require(
    !first || !statement || first.genTime >= Math.floor(statement.producedAt / 1000) * 1000,
    'time-order',
    "the first archive time-stamp is older than the CA's statement about the signer",
  );
};

/** After a certificate or an algorithm has ended, its proofs may be forgeries. So the next archive time-stamp must come before. */
const checkEnds = (proofs: readonly ArchiveProof[], { timeStamp, now }: ArchiveScope, findings: Findings): void => {
  const ends = [...(timeStamp ? [endOfTimeStamp(timeStamp)] : []), ...proofs.map(({ endsAt }) => endsAt)];
  const until = [...proofs.map(({ genTime }) => genTime), now].slice(timeStamp ? 0 : 1);
  findings.require(
    ends.every((end, at) => end >= (until[at] ?? now)),
    'lifetime',
    'a certificate or an algorithm of a time-stamp had ended before the next archive time-stamp carried the proof on',
  );
};
