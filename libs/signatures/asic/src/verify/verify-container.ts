import { type Certificate, MalformedDer, OID, type TrustStore, type VerifiedTimeStamp } from '#signatures/pki';

import { type Level, LEVELS } from '../container-layout.js';
import { UnreadableContainer } from '../zip/unreadable-container.js';
import { ZipReader } from '../zip/zip-reader.js';
import { checkArchive } from './check-archive.js';
import type { ContainerParts } from './container-parts.js';
import { type ArchiveProof, checkArchiveTimeStamps } from './check-archive-time-stamps.js';
import { checkRevocation } from './check-revocation.js';
import { checkForeignSignature, checkSignature, checkTrust, type ReadSignature } from './check-signature.js';
import { checkTimeStamp } from './check-time-stamp.js';
import { verdictOf } from './indication.js';
import { type ContainerReport, Findings, type ReportedArchiveTimeStamp, type Rule, type SignerIdentity } from './report.js';
import type { SignerStatement } from './signer-statement.js';
import type { Validation } from './validation.js';

export interface VerificationTerms {
  readonly trust: TrustStore;
  /** Epoch milliseconds. Level LT proves a signature as long as its responder's and unit's certificates last, LTA as long as its last archive time-stamp. */
  readonly now: number;
  /** The level that the container must have at least. Default LT. */
  readonly level?: Level;
  /** Whether only the form is valid that this service writes. Default: any that EN 319 162-1 allows and that is known here. */
  readonly form?: 'any' | 'delivered';
}

/**
 * Verifies a container: the signer, the signed file, the time and the trust. Never throws because of the archive's content,
 * however hostile; each fault becomes a finding. `source`: the archive's bytes or the path of a file.
 */
export const verifyContainer = async (source: Uint8Array | string, terms: VerificationTerms): Promise<ContainerReport> =>
  (await validateContainer(source, terms)).report;

/** {@link verifyContainer}, with the material for a validation report. */
export const validateContainer = async (source: Uint8Array | string, terms: VerificationTerms): Promise<Validation> => {
  const findings = new Findings();
  try {
    await using zip = await ZipReader.open(source, { foreign: terms.form !== 'delivered' });
    return await judge(zip, terms, findings);
  } catch (error) {
    if (error instanceof UnreadableContainer)
      findings.addAll([{ rule: 'archive', message: error.message, ...(error.unjudged && { unjudged: true }) }]);
    else if (error instanceof MalformedDer) findings.add('signature-format', `the signature file is malformed: ${error.message}`);
    else throw error;
    return refused(findings, terms);
  }
};

const refused = ({ list }: Findings, { now }: VerificationTerms): Validation => ({ report: { ...verdictOf(list, false), findings: list }, at: now });

const judge = async (zip: ZipReader, terms: VerificationTerms, findings: Findings): Promise<Validation> => {
  const parts = await checkArchive(zip, findings, terms.form);
  const [only] = parts;
  if (!only) return refused(findings, terms);
  return parts.length === 1 ? judgeOne(only, terms, findings) : judgeSeveral(parts, terms, findings);
};

/** Each signature by itself; the container is valid when all are. */
const judgeSeveral = (parts: readonly ContainerParts[], terms: VerificationTerms, findings: Findings): Validation => {
  const judged = parts.map((part) => {
    const own = new Findings();
    const validation = judgeOne(part, terms, own);
    findings.addAll(own.list.map((finding) => ({ ...finding, message: `${part.entry}: ${finding.message}` })));
    return { part, validation };
  });
  const signatures = judged.map(({ part: { entry, documents }, validation: { report } }) => {
    const { verdict, subIndication, signer, signingTime } = report;
    return { entry, verdict, ...(subIndication && { subIndication }), signer, signingTime, documents };
  });
  const documents = [...new Map(parts.flatMap((part) => part.documents ?? []).map((one) => [`${one.name} ${one.hash}`, one])).values()];
  const first = judged.find(({ validation }) => validation.material)?.validation;
  const verdict = verdictOf(
    findings.list,
    documents.every(({ present }) => present),
  );
  const { subIndication: _, ...report } = first?.report ?? refused(findings, terms).report;
  return { report: { ...report, ...verdict, findings: findings.list, documents, signatures }, at: terms.now, material: first?.material };
};

/** Rules about the form of a signature that this service follows and others need not. */
const OWN_RULES: ReadonlySet<Rule> = new Set<Rule>(['signature-format', 'signature-order', 'signing-time', 'time-order']);

/** A signature of a container of another form: what it breaks of our own rules is not judged. */
const judgeOne = (parts: ContainerParts, terms: VerificationTerms, findings: Findings): Validation => {
  if (parts.manifest) return judgeSignature(parts, checkSignature(parts.signatureBytes, parts.manifestBytes, findings), terms, findings);
  const found = new Findings();
  try {
    const signature = checkForeignSignature(parts.signatureBytes, parts.manifestBytes, found);
    const { report, ...rest } = judgeSignature(parts, signature, terms, found);
    findings.addAll(found.list.map((finding) => (OWN_RULES.has(finding.rule) ? { ...finding, unjudged: true as const } : finding)));
    const { subIndication: _, ...known } = report;
    const holdsFiles = parts.documents?.every(({ present }) => present) ?? false;
    return { ...rest, report: { ...known, ...verdictOf(findings.list, holdsFiles), findings: findings.list } };
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    findings.addAll(found.list);
    findings.cannotJudge('signature-format', `the signature is of a form that is not known here: ${error.message}`);
    return refused(findings, terms);
  }
};

const judgeSignature = (parts: ContainerParts, signature: ReadSignature | undefined, terms: VerificationTerms, findings: Findings): Validation => {
  const { trust, now, level = 'LT' } = terms;
  if (!signature) return refused(findings, terms);

  const timeStamp = checkTimeStamp(signature, trust, findings);
  const at = timeStamp?.genTime ?? signature.signingTime ?? now;
  const chain = checkTrust(signature, { trust, at }, findings);
  const statement = timeStamp && chain && signature.signedData.crls ? checkRevocation({ ...signature, chain, timeStamp }, findings) : undefined;
  const archive = checkArchiveTimeStamps({ parts, signature, timeStamp, statement, trust, now }, findings);
  const reached = levelOf(signature, { timeStamp, statement, archive });
  findings.require(LEVELS.indexOf(reached) >= LEVELS.indexOf(level), 'level', `the signature has level ${reached}, ${level} is needed`);
  checkLifetime({ timeStamp, statement, until: archive[0]?.genTime ?? now }, findings);
  if (timeStamp && chain) checkUse(signature, [...chain, ...timeStamp.chain, ...(statement ? [statement.by] : [])], findings);

  const report: ContainerReport = {
    ...verdictOf(findings.list, parts.documents?.every(({ present }) => present) ?? false),
    findings: findings.list,
    ...contentsOf(parts),
    signer: identityOf(signature.signer),
    level: reached,
    signingTime: signature.signingTime,
    timeStampedAt: timeStamp?.genTime,
    timeStampAuthority: timeStamp?.chain[0].subjectAttribute(OID.commonName),
    revocationCheckedAt: statement?.producedAt,
    ...(archive.length > 0 && { archiveTimeStamps: archive.map(reportedArchive) }),
    root: rootOf(chain),
  };
  return { report, at: now, material: { parts, signature, chain, timeStamp, statement, archive } };
};

interface Proofs {
  readonly timeStamp: VerifiedTimeStamp | undefined;
  readonly statement: SignerStatement | undefined;
  readonly archive: readonly ArchiveProof[];
}

const levelOf = ({ signedData }: ReadSignature, { timeStamp, statement, archive }: Proofs): Level => {
  if (!timeStamp) return 'B';
  if (!signedData.crls || !statement) return 'T';
  return archive.length > 0 ? 'LTA' : 'LT';
};

const reportedArchive = ({ genTime, chain, endsAt }: ArchiveProof): ReportedArchiveTimeStamp => ({
  at: genTime,
  authority: chain[0].subjectAttribute(OID.commonName),
  endsAt,
});

/** Once a key's certificate has ended, a statement signed by that key may have been forged since. */
const checkLifetime = (
  { timeStamp, statement, until }: { timeStamp: VerifiedTimeStamp | undefined; statement: SignerStatement | undefined; until: number },
  findings: Findings,
): void => {
  const ended = [timeStamp?.chain[0], statement?.by].filter((one) => one !== undefined && one.notAfter < until);
  findings.require(
    ended.length === 0,
    'lifetime',
    "the certificate of the time-stamping unit or of the CA's statement has ended, and no archive time-stamp carries the proof on",
  );
};

/** A certificate that no chain uses could be taken for the signer's by another program. */
const checkUse = ({ signedData }: ReadSignature, used: readonly Certificate[], findings: Findings): void => {
  const unused = signedData.certificates.filter((certificate) => !used.some((one) => one.equals(certificate)));
  findings.require(unused.length === 0, 'signature-format', 'the signature holds a certificate that nothing in it uses');
};

const contentsOf = ({
  documents,
  manifest,
}: ContainerParts): Pick<ContainerReport, 'documents' | 'signedDataName' | 'signedDataHash' | 'request'> => {
  const only = documents?.length === 1 ? documents[0] : undefined;
  return { documents, signedDataName: only?.name, signedDataHash: only?.hash, ...(manifest?.request && { request: manifest.request }) };
};

const identityOf = (certificate: Certificate): SignerIdentity => {
  const givenName = certificate.subjectAttribute(OID.givenName);
  const familyName = certificate.subjectAttribute(OID.surname);
  const organization = certificate.subjectAttribute(OID.organizationName);
  return {
    name: [givenName, familyName].filter(Boolean).join(' ') || (certificate.subjectAttribute(OID.commonName) ?? organization ?? ''),
    givenName,
    familyName,
    serialNumber: certificate.subjectAttribute(OID.serialNumber),
    country: certificate.subjectAttribute(OID.countryName),
    organization,
    organizationIdentifier: certificate.subjectAttribute(OID.organizationIdentifier),
    issuer: certificate.issuerAttribute(OID.commonName),
    fingerprint: certificate.fingerprint,
  };
};

const rootOf = (chain: readonly Certificate[] | undefined): ContainerReport['root'] => {
  const root = chain?.at(-1);
  return root && { name: root.subjectAttribute(OID.commonName), fingerprint: root.fingerprint };
};
