import type { SignedRequest } from '../manifest.js';
import { isUnjudged } from './indication.js';
import type { ContainerReport, ReportedArchiveTimeStamp, ReportedDocument, SignerIdentity } from './report.js';

const sentence = (report: ContainerReport): string => {
  const { verdict, subIndication, findings, documents = [] } = report;
  if (verdict === 'TOTAL_PASSED')
    return documents.length > 1
      ? `TOTAL_PASSED: the signature is valid, and the ${documents.length} files in the container are those that were signed.`
      : 'TOTAL_PASSED: the signature is valid, and the file in the container is the one that was signed.';
  const words = [verdict, subIndication].filter(Boolean).join(', ');
  if (isUnjudged(report))
    return `${words}: this is not a form that can be judged here. Nothing is proved wrong; ask another validator, such as EU DSS.`;
  if (findings.length > 0) return `${words}: do not rely on this container.`;
  const missing =
    documents.length > 1 ? 'put the missing files into it, under the names below,' : 'put the signed file into it, under the name below,';
  return `${words}: the signature is valid. The container is not complete: ${missing} before you pass it on.`;
};

/** A report in plain words, line by line: the verdict and its reasons, then the file, the signer, the time and the trust. */
export const explainReport = (report: ContainerReport): readonly string[] => [
  sentence(report),
  ...report.findings.map(({ message }) => `  - ${message}`),
  ...(report.documents ?? []).flatMap((document, at, all) => line(at === 0 ? 'What' : '', what(document, all.length > 1))),
  ...line('For', report.request && forWhom(report.request)),
  ...(report.signatures ? report.signatures.flatMap((one, at) => line(at === 0 ? 'Who' : '', who(one))) : line('Who', who(report))),
  ...line('When', when(report)),
  ...line('Trust', trust(report)),
  ...(report.archiveTimeStamps ?? []).flatMap((stamp, at) => line(at === 0 ? 'Kept' : '', kept(stamp))),
];

const line = (label: string, text: string | undefined): readonly string[] => (text ? [`${label.padEnd(5)}  ${text}`] : []);

const what = ({ name, hash, algorithm, present }: ReportedDocument, several: boolean): string =>
  `${JSON.stringify(name)}, ${algorithm ?? 'SHA-512'} ${hash}${several && !present ? ', missing' : ''}`;

const forWhom = ({ relyingParty, title }: SignedRequest): string =>
  [JSON.stringify(relyingParty), ...(title === undefined ? [] : [`titled ${JSON.stringify(title)}`])].join(', ');

const who = ({ signer }: Pick<ContainerReport, 'signer'>): string | undefined => {
  if (!signer) return undefined;
  const { name, serialNumber, organizationIdentifier, country } = signer;
  return [JSON.stringify(name), serialNumber, organization(signer), organizationIdentifier, country].filter(Boolean).join(', ');
};

/** Leaves out an organization whose name is the signer's name. */
const organization = ({ name, organization: text }: SignerIdentity): string | undefined =>
  text === undefined || text === name ? undefined : `organization ${JSON.stringify(text)}`;

const when = ({ signingTime, timeStampedAt, timeStampAuthority, revocationCheckedAt }: ContainerReport): string | undefined => {
  if (signingTime === undefined) return undefined;
  const stamped = timeStampedAt !== undefined && `proven to exist at ${iso(timeStampedAt)} by ${JSON.stringify(timeStampAuthority ?? '')}`;
  const checked = revocationCheckedAt !== undefined && `certificate good at ${iso(revocationCheckedAt)}`;
  return [`${iso(signingTime)} by the signer's device`, stamped, checked].filter(Boolean).join('; ');
};

const trust = ({ signer, root, level }: ContainerReport): string | undefined =>
  root &&
  `${JSON.stringify(signer?.issuer ?? '')} vouches for the signer, under the root ${JSON.stringify(root.name ?? '')} (SHA-256 ${root.fingerprint}); level CAdES_BASELINE_${level ?? 'B'}`;

const kept = ({ at, authority, endsAt }: ReportedArchiveTimeStamp): string =>
  `archive time-stamp of ${iso(at)} by ${JSON.stringify(authority ?? '')}, which holds until ${iso(endsAt)}`;

const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
