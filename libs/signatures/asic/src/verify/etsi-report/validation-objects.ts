import { hash } from 'node:crypto';

import { MalformedDer, OID, soleValue, type VerifiedTimeStamp } from '#signatures/pki';

import { uriOf } from '../../manifest.js';
import type { ReportedDocument } from '../report.js';
import { readMaterial, type RevocationMaterial } from '../revocation-material.js';
import type { ValidationMaterial } from '../validation.js';
import { certificateChain, certificateId } from './certificate-chain.js';
import { digest, reference } from './elements.js';
import { element, type Xml } from './xml.js';

/** TS 119 102-2 §4.4.4. */
type ObjectType = 'certificate' | 'CRL' | 'OCSPResponse' | 'timestamp' | 'signedData';

/** The objects that the validation used, each once, and their ids (TS 119 102-2 §4.4). */
export interface ValidationObjects {
  readonly list: readonly Xml[];
  /** The manifest first, then the documents. */
  readonly signedData: readonly string[];
  /** The time-stamp of the signature, verified or not. */
  readonly timeStamp: string | undefined;
  /** The archive time-stamps that are valid, oldest first. */
  readonly archive: readonly string[];
  /** CRLs and OCSP responses. */
  readonly revocation: readonly string[];
}

/** The id of a CRL or an OCSP response (DER) among the validation objects. */
export const revocationId = (der: Buffer): string => idOf('R', der);

/** Collects the validation objects of a validation. */
export const validationObjects = ({ parts, signature, chain = [], timeStamp, archive }: ValidationMaterial): ValidationObjects => {
  const objects = new Map<string, Xml>();
  const add = (id: string, type: ObjectType, content: readonly Xml[], report?: Xml): string => {
    objects.set(id, validationObject({ id, type, content, report }));
    return id;
  };
  const { signedData } = signature;
  const token = soleValue(signedData.signer.unsigned, OID.signatureTimeStamp)?.bytes;
  const { responses, lists } = revocationIn(signedData);

  const manifest = add(idOf('D', parts.manifestBytes), 'signedData', [base64(parts.manifestBytes)]);
  const documents = (parts.documents ?? []).map((document, at) => add(`D-${at + 1}`, 'signedData', documentContent(document)));
  const stamp = token && add(idOf('T', token), 'timestamp', [base64(token)], timeStampReport(timeStamp));
  const archived = archive.map((one) => add(idOf('T', one.token), 'timestamp', [base64(one.token)], timeStampReport(one)));
  for (const certificate of [...signedData.certificates, ...chain, ...(timeStamp?.chain ?? []), ...archive.flatMap((one) => one.chain)])
    add(certificateId(certificate), 'certificate', [base64(certificate.der)]);
  const revocation = new Set([
    ...responses.map((der) => add(revocationId(der), 'OCSPResponse', [base64(der)])),
    ...lists.map((der) => add(revocationId(der), 'CRL', [base64(der)])),
  ]);
  return {
    list: [...objects.values()],
    signedData: [manifest, ...documents],
    timeStamp: stamp,
    archive: archived,
    revocation: [...revocation],
  };
};

/** Without a trusted chain the validation has not read the revocation data. Malformed data is then left out of the validation objects. */
const revocationIn = ({ crls = [] }: ValidationMaterial['signature']['signedData']): RevocationMaterial => {
  try {
    return readMaterial(crls);
  } catch (error) {
    if (error instanceof MalformedDer) return { responses: [], lists: [] };
    throw error;
  }
};

interface ValidationObject {
  readonly id: string;
  readonly type: ObjectType;
  readonly content: readonly Xml[];
  readonly report: Xml | undefined;
}

const validationObject = ({ id, type, content, report }: ValidationObject): Xml =>
  element(
    'vr:ValidationObject',
    [element('vr:ObjectType', `urn:etsi:019102:validationObject:${type}`), element('vr:ValidationObjectRepresentation', content), report],
    { id },
  );

const base64 = (bytes: Uint8Array): Xml => element('vr:base64', Buffer.from(bytes).toString('base64'));

/** Name and hash as the manifest has them, whether or not the file lies in the container. */
const documentContent = ({ name, hash: value, algorithm }: ReportedDocument): readonly Xml[] => [
  digest(algorithm === 'SHA-256' ? 'sha256' : algorithm === 'SHA-384' ? 'sha384' : 'sha512', Buffer.from(value, 'hex')),
  element('vr:URI', uriOf(name)),
];

const timeStampReport = (timeStamp: VerifiedTimeStamp | undefined): Xml =>
  element('vr:ValidationReport', [
    timeStamp && element('vr:SignerInformation', [reference('vr:SignerCertificate', certificateId(timeStamp.chain[0]))]),
    element('vr:SignatureValidationStatus', [
      element('vr:MainIndication', `urn:etsi:019102:mainindication:${timeStamp ? 'passed' : 'indeterminate'}`),
      timeStamp && element('vr:AssociatedValidationReportData', [certificateChain(timeStamp.chain)]),
    ]),
  ]);

const idOf = (kind: string, bytes: Buffer): string => `${kind}-${hash('sha256', bytes)}`;
