import { openDelivered, signatureOf } from '../attach/attachment.js';
import { AttachRefused } from '../attach/attach-refused.js';
import { sourceOf } from '../attach/blob-source.js';
import { type DerElement, identifierOf, inside, readElements, timeOf, UnreadableDer } from './der-elements.js';

/** The statements of a container about its signature, read but not verified: `verifyContainer` and `countersign verify` verify them. Times are epoch milliseconds. */
export interface SignatureEvidence {
  /** Given and family name as the certificate has them, or else its common name. */
  readonly signer: string;
  /** Common name of the authority that issued the signer's certificate. */
  readonly issuer: string | undefined;
  /** The time that the signer's device gave. */
  readonly signingTime: number | undefined;
  /** The time-stamp over the signature; undefined if there is none. */
  readonly timeStamp: { readonly at: number; readonly authority: string | undefined } | undefined;
  /** The time of the OCSP answer that calls the signer's certificate good; undefined if there is none. */
  readonly calledGoodAt: number | undefined;
}

const COMMON_NAME = '2.5.4.3';
const SURNAME = '2.5.4.4';
const GIVEN_NAME = '2.5.4.42';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const CONTEXT_0 = 0xa0;
const CONTEXT_1 = 0xa1;
/** OCSP, certStatus: good [0] IMPLICIT NULL. */
const GOOD = 0x80;
const GENERALIZED_TIME = 0x18;

/** Reads signer, issuer, time-stamp and OCSP answer of a container as this service delivers it. Uses nothing of Node. Undefined for other bytes. */
export const readEvidence = async (container: Blob): Promise<SignatureEvidence | undefined> => {
  try {
    const source = sourceOf(container);
    return evidenceIn(await signatureOf(source, await openDelivered(source)));
  } catch (error) {
    if (error instanceof UnreadableDer || error instanceof AttachRefused) return undefined;
    throw error;
  }
};

const evidenceIn = (p7s: Uint8Array): SignatureEvidence => {
  const { certificates, crls, signerInfo } = signedDataIn(inside(readElements(p7s)[0]));
  const signer = certificateOf(signerInfo, certificates);
  if (!signer) throw new UnreadableDer('the certificate of the signer is missing');
  const time = attributeIn(signerInfo, CONTEXT_0, SIGNING_TIME);
  const token = attributeIn(signerInfo, CONTEXT_1, TIME_STAMP_TOKEN);
  const names = [GIVEN_NAME, SURNAME].map((type) => nameIn(signer.subject, type)).filter((name) => name !== undefined);
  return {
    signer: names.join(' ') || (nameIn(signer.subject, COMMON_NAME) ?? ''),
    issuer: nameIn(signer.issuer, COMMON_NAME),
    signingTime: time && timeOf(time),
    timeStamp: token && timeStampIn(token, certificates),
    calledGoodAt: calledGoodAt(crls, signer.serial),
  };
};

/** RFC 5652 §5.1: SignedData with one signer. */
const signedDataIn = (contentInfo: DerElement) => {
  const [, , content, ...rest] = readElements(inside(contentInfo, 1, 0).content);
  const setWith = (tag: number): readonly DerElement[] => {
    const set = rest.find((element) => element.tag === tag);
    return set ? readElements(set.content) : [];
  };
  return { content, certificates: setWith(CONTEXT_0), crls: setWith(CONTEXT_1), signerInfo: inside(rest.at(-1), 0) };
};

interface CertificateParts {
  readonly serial: DerElement;
  readonly issuer: DerElement;
  readonly subject: DerElement;
}

/** RFC 5280 §4.1: the version may be left out. */
const partsOf = (certificate: DerElement): CertificateParts => {
  const fields = readElements(inside(certificate, 0).content);
  const [serial, , issuer, , subject] = fields[0]?.tag === CONTEXT_0 ? fields.slice(1) : fields;
  return { serial: inside(serial), issuer: inside(issuer), subject: inside(subject) };
};

/** The certificate that the signer is named by: issuer and serial number. */
const certificateOf = (signerInfo: DerElement, certificates: readonly DerElement[]): CertificateParts | undefined => {
  const [issuer, serial] = [inside(signerInfo, 1, 0), inside(signerInfo, 1, 1)];
  return certificates.map(partsOf).find((parts) => isSame(parts.serial, serial) && isSameName(parts.issuer, issuer));
};

/** The value of a signed [0] or unsigned [1] attribute. */
const attributeIn = (signerInfo: DerElement, tag: number, type: string): DerElement | undefined => {
  const attributes = readElements(signerInfo.content).find((element) => element.tag === tag);
  const found = attributes && readElements(attributes.content).find((attribute) => identifierOf(inside(attribute, 0)) === type);
  return found && inside(found, 1, 0);
};

/** RFC 3161 §2.4.2: the token is a SignedData over TSTInfo, whose fifth field is the time. */
const timeStampIn = (token: DerElement, pool: readonly DerElement[]): SignatureEvidence['timeStamp'] => {
  const { content, certificates, signerInfo } = signedDataIn(token);
  const info = readElements(inside(content, 1, 0).content)[0];
  const authority = certificateOf(signerInfo, [...certificates, ...pool]);
  return { at: timeOf(inside(info, 4)), authority: authority && nameIn(authority.subject, COMMON_NAME) };
};

/** The time of the first answer that calls this certificate good; undefined when one says anything else about it. */
const calledGoodAt = (crls: readonly DerElement[], serial: DerElement): number | undefined => {
  const answers = crls.flatMap((other) => answersIn(other, serial));
  return answers.every(({ good }) => good) ? answers[0]?.at : undefined;
};

/** RFC 5940 and RFC 6960 §4.2.1: what an OCSP response says about this certificate, and when. */
const answersIn = (other: DerElement, serial: DerElement): readonly { readonly good: boolean; readonly at: number }[] => {
  if (other.tag !== CONTEXT_1) return []; // a list of revoked certificates
  const basic = readElements(inside(other, 1, 1, 0, 1).content)[0];
  const fields = readElements(inside(basic, 0).content);
  const place = fields.findIndex(({ tag }) => tag === GENERALIZED_TIME);
  const [producedAt, responses] = [inside(fields[place]), inside(fields[place + 1])];
  return readElements(responses.content)
    .filter((single) => isSame(inside(single, 0, 3), serial))
    .map((single) => ({ good: inside(single, 1).tag === GOOD, at: timeOf(producedAt) }));
};

/** RFC 5280 §7.1, for display: the type of a string, upper and lower case, and the amount of white space do not count. */
const isSameName = (a: DerElement, b: DerElement): boolean => comparable(a) === comparable(b);

const comparable = (name: DerElement): string =>
  JSON.stringify(
    readElements(name.content).map((set) =>
      readElements(set.content)
        .map((pair) => [identifierOf(inside(pair, 0)), folded(inside(pair, 1).content)])
        .sort(),
    ),
  );

const folded = (text: Uint8Array): string => new TextDecoder().decode(text).normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');

const nameIn = (name: DerElement, type: string): string | undefined => {
  const pairs = readElements(name.content).flatMap((set) => readElements(set.content));
  const found = pairs.find((pair) => identifierOf(inside(pair, 0)) === type);
  return found && new TextDecoder().decode(inside(found, 1).content);
};

const isSame = (a: DerElement, b: DerElement): boolean =>
  a.tag === b.tag && a.content.length === b.content.length && a.content.every((byte, at) => byte === b.content[at]);
