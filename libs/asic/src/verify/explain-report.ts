import type { ContainerReport } from './report.js';

const sentence = ({ verdict, subIndication, findings }: ContainerReport): string => {
  if (verdict === 'TOTAL_PASSED') return 'TOTAL_PASSED: the signature is valid, and the file in the container is the one that was signed.';
  const words = [verdict, subIndication].filter(Boolean).join(', ');
  if (findings.length > 0) return `${words}: do not rely on this container.`;
  return `${words}: the signature is valid. The container is not complete: put the signed file into it, under the name below, before you pass it on.`;
};

/** A report in plain words, line by line: the verdict and its reasons, then the file, the signer, the time and the trust. */
export const explainReport = (report: ContainerReport): readonly string[] => [
  sentence(report),
  ...report.findings.map(({ message }) => `  - ${message}`),
  ...line('What', report.signedDataName && `${JSON.stringify(report.signedDataName)}, SHA-512 ${report.signedDataHash ?? ''}`),
  ...line('Who', who(report)),
  ...line('When', when(report)),
  ...line('Trust', trust(report)),
];

const line = (label: string, text: string | undefined): readonly string[] => (text ? [`${label.padEnd(5)}  ${text}`] : []);

const who = ({ signer }: ContainerReport): string | undefined =>
  signer && [JSON.stringify(signer.name), signer.serialNumber, signer.country].filter(Boolean).join(', ');

const when = ({ signingTime, timeStampedAt, timeStampAuthority, revocationCheckedAt }: ContainerReport): string | undefined => {
  if (signingTime === undefined) return undefined;
  const stamped = timeStampedAt !== undefined && `proven to exist at ${iso(timeStampedAt)} by ${JSON.stringify(timeStampAuthority ?? '')}`;
  const checked = revocationCheckedAt !== undefined && `certificate good at ${iso(revocationCheckedAt)}`;
  return [`${iso(signingTime)} by the signer's device`, stamped, checked].filter(Boolean).join('; ');
};

const trust = ({ signer, root, level }: ContainerReport): string | undefined =>
  root &&
  `${JSON.stringify(signer?.issuer ?? '')} vouches for the signer, under the root ${JSON.stringify(root.name ?? '')} (SHA-256 ${root.fingerprint}); level CAdES_BASELINE_${level ?? 'B'}`;

const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
