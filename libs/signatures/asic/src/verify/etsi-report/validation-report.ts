import { hash } from 'node:crypto';

import { OID, soleValue } from '#signatures/pki';

import { verdictOf } from '../indication.js';
import type { ContainerReport, Finding, Verdict } from '../report.js';
import type { SignerStatement } from '../signer-statement.js';
import type { Validation, ValidationMaterial } from '../validation.js';
import { certificateChain, certificateId } from './certificate-chain.js';
import { digest, proofOfExistence, reference, time } from './elements.js';
import { revocationId, type ValidationObjects, validationObjects } from './validation-objects.js';
import { element, type Xml } from './xml.js';

const NAMESPACES = {
  'xmlns:vr': 'http://uri.etsi.org/19102/v1.4.1#',
  'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
};

const SIGNED = { Signed: 'true' };
const UNSIGNED = { Signed: 'false' };

/** The rules that a container can break, as constraints. They lie under the arc for examples (RFC 5612), since no authority has assigned them. */
const CONSTRAINT = 'urn:oid:1.3.6.1.4.1.32473.1.3#';

/**
 * The validation report of ETSI TS 119 102-2 about that validation: XML in UTF-8, not signed. The verdict, its reasons, and every certificate,
 * time-stamp, CRL and OCSP response of the signature as validation objects. Never throws, whatever the container holds.
 */
export const validationReport = ({ report, at, material }: Validation): string => {
  const objects = material && validationObjects(material);
  const root = element(
    'vr:ValidationReport',
    [
      element('vr:SignatureValidationReport', [
        material && signatureIdentifier(material),
        constraints(report.findings),
        times({ report, at, objects }),
        material && objects && signersDocument(material, objects),
        material && objects && attributes({ report, material, objects }),
        material && signerInformation(report, material),
        element('vr:SignatureValidationProcess', [
          element('vr:SignatureValidationProcessID', `urn:etsi:019102:validationprocess:${material?.timeStamp ? 'LTVM' : 'Basic'}`),
        ]),
        status('vr:SignatureValidationStatus', report, material && objects && reportData(material, objects)),
      ]),
      objects && element('vr:SignatureValidationObjects', objects.list),
    ],
    NAMESPACES,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
};

/** §4.3.3: the signature by the digest of what was signed, and by its value. */
const signatureIdentifier = ({ parts: { documents = [] }, signature: { signedData } }: ValidationMaterial): Xml => {
  const { signer } = signedData;
  return element(
    'vr:SignatureIdentifier',
    [
      digest(signer.hash, hash(signer.hash, signer.signedAttributes, 'buffer')),
      element('ds:SignatureValue', signer.signature.toString('base64')),
      element('vr:HashOnly', 'false'),
      element('vr:DocHashOnly', String(documents.some(({ present }) => !present))),
    ],
    { id: `S-${hash('sha256', signer.signature)}` },
  );
};

/** §4.3.5: the rules that were broken, each once, with its findings. */
const constraints = (findings: readonly Finding[]): Xml | undefined => {
  if (findings.length === 0) return undefined;
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return element(
    'vr:ValidationConstraintsEvaluationReport',
    [...byRule].map(([rule, broken]) =>
      element('vr:ValidationConstraint', [
        element('vr:ValidationConstraintIdentifier', CONSTRAINT + rule),
        element('vr:ConstraintStatus', [element('vr:Status', 'urn:etsi:019102:constraintStatus:applied')]),
        status('vr:ValidationStatus', verdictOf(broken, true)),
        element('vr:Indications', broken.map(({ message }) => message).join('; ')),
      ]),
    ),
  );
};

interface ReportParts {
  readonly report: ContainerReport;
  readonly objects: ValidationObjects | undefined;
}

/** §4.3.6. Without a verified time-stamp the validation itself is the earliest proof that the signature existed. */
const times = ({ report: { timeStampedAt }, at, objects }: ReportParts & { readonly at: number }): Xml =>
  element('vr:ValidationTimeInfo', [
    time('vr:ValidationTime', at),
    timeStampedAt === undefined
      ? proofOfExistence('vr:BestSignatureTime', at)
      : proofOfExistence('vr:BestSignatureTime', timeStampedAt, objects?.timeStamp),
  ]);

/** §4.3.7: the manifest is what the signature covers, and the manifest names the documents. */
const signersDocument = ({ parts, signature }: ValidationMaterial, { signedData }: ValidationObjects): Xml => {
  const { hash: algorithm } = signature.signedData.signer;
  return element('vr:SignersDocument', [
    digest(algorithm, hash(algorithm, parts.manifestBytes, 'buffer')),
    reference('vr:SignersDocumentRepresentation', ...signedData),
  ]);
};

/** §4.3.8, annex A. */
const attributes = ({ report, material: { signature }, objects }: ReportParts & { readonly material: ValidationMaterial }): Xml | undefined => {
  const { signedData, signer, signingTime } = signature;
  const { signed } = signedData.signer;
  const messageDigest = soleValue(signed, OID.messageDigest)?.octets();
  const found = [
    signingTime === undefined ? undefined : element('vr:SigningTime', [time('vr:Time', signingTime)], SIGNED),
    report.findings.some(({ rule }) => rule === 'signing-certificate')
      ? undefined
      : element('vr:SigningCertificate', [reference('vr:AttributeObject', certificateId(signer))], SIGNED),
    report.timeStampedAt === undefined || objects?.timeStamp === undefined
      ? undefined
      : element(
          'vr:SignatureTimeStamp',
          [reference('vr:AttributeObject', objects.timeStamp), time('vr:TimeStampValue', report.timeStampedAt)],
          UNSIGNED,
        ),
    messageDigest && element('vr:MessageDigest', [element('vr:Digest', messageDigest.toString('base64'))], SIGNED),
  ].filter((one) => one !== undefined);
  return found.length > 0 ? element('vr:SignatureAttributes', found) : undefined;
};

const signerInformation = ({ signer }: ContainerReport, { signature }: ValidationMaterial): Xml =>
  element('vr:SignerInformation', [reference('vr:SignerCertificate', certificateId(signature.signer)), signer && element('vr:Signer', signer.name)]);

/** §4.3.4. The result of a constraint is `passed` or `failed`, that of a whole signature `total-passed` or `total-failed`; both may be `indeterminate`. */
const status = (name: 'vr:SignatureValidationStatus' | 'vr:ValidationStatus', { verdict, subIndication }: Verdict, data?: Xml): Xml => {
  const total = name === 'vr:SignatureValidationStatus' ? 'total-' : '';
  const indication = { TOTAL_PASSED: `${total}passed`, TOTAL_FAILED: `${total}failed`, INDETERMINATE: 'indeterminate' }[verdict];
  return element(name, [
    element('vr:MainIndication', `urn:etsi:019102:mainindication:${indication}`),
    subIndication && element('vr:SubIndication', `urn:etsi:019102:subindication:${subIndication}`),
    data,
  ]);
};

/** §4.3.12: the trust, the evidence, and a revocation. */
const reportData = (
  { signature, chain = [], statement }: ValidationMaterial,
  { timeStamp, archive, revocation }: ValidationObjects,
): Xml | undefined => {
  const related = [...(timeStamp === undefined ? [] : [timeStamp]), ...archive, ...revocation];
  const data = [
    certificateChain(chain),
    related.length > 0 ? reference('vr:RelatedValidationObject', ...related) : undefined,
    statement && revocationStatus(certificateId(signature.signer), statement),
  ].filter((one) => one !== undefined);
  return data.length > 0 ? element('vr:AssociatedValidationReportData', data) : undefined;
};

const revocationStatus = (certificate: string, { revokedAt, der }: SignerStatement): Xml | undefined =>
  revokedAt === undefined
    ? undefined
    : element('vr:RevocationStatusInformation', [
        reference('vr:ValidationObjectId', certificate),
        time('vr:RevocationTime', revokedAt),
        reference('vr:RevocationObject', revocationId(der)),
      ]);
