import 'reflect-metadata';

import { Name } from '@peculiar/x509';

import { SystemRandomness } from '#kernel';

import { Certificate } from '#signatures/pki';
import { type CertificateProfile, signerProfile } from '#signatures/pki';
import { issueCertificate, newSerial } from '#signatures/pki';
import { bitString, contents, type DerNode, integer, nul, raw, sequence, TAG, tagged } from '#signatures/pki';
import { BODY, CMP_OID, type CmpMessage, encodeHeader, encodeMessage, encodeProtectedPart, infoValue, readMessage } from '#signatures/pki';
import { type CmpProtection, macProtection, type SharedSecret } from '#signatures/pki';
import { type DevelopmentPki, issuerOf, type TrustServiceUnit } from '#signatures/pki';
import { type Peer, startPeer } from './peer.js';
import { PROFILES } from './test-certificates.js';

/** A body of an answer: a number of `BODY`, and its content. */
export type CmpBody = readonly [type: number, body: DerNode];

export interface CmpServerOptions {
  readonly protection: CmpProtection;
  readonly answer: (request: CmpMessage) => CmpBody | Promise<CmpBody>;
  /** Whether certificates need no confirmation. */
  readonly confirmed?: boolean;
  /** Fields of the header that are not what they should be. */
  readonly wrong?: { readonly transactionId?: Buffer; readonly recipientNonce?: (request: CmpMessage, answer: number) => Buffer | undefined };
  /** Changes an answer after it was protected. */
  readonly tamper?: (message: Buffer) => Buffer;
}

const NAME = Buffer.of(0x30, 0);
const HOUR = 3_600_000;

/** An authority that speaks CMP over HTTP, and can be made to answer wrongly. */
export const startCmpServer = ({ protection, answer, confirmed = false, wrong = {}, tamper = (same) => same }: CmpServerOptions): Promise<Peer> =>
  startPeer(async (bytes) => {
    const request = readMessage(bytes);
    const [type, body] = await answer(request);
    const header = encodeHeader({
      sender: NAME,
      recipient: NAME,
      messageTime: Date.now(),
      protectionAlgorithm: protection.algorithm,
      senderKid: protection.senderKid,
      transactionId: wrong.transactionId ?? request.transactionId ?? Buffer.alloc(0),
      senderNonce: Buffer.alloc(16, 7),
      recipientNonce: wrong.recipientNonce?.(request, type) ?? request.senderNonce,
      generalInfo: confirmed ? [infoValue(CMP_OID.implicitConfirm, nul())] : [],
    });
    const part = encodeProtectedPart(header, type, body);
    return { type: 'application/pkixcmp', body: tamper(encodeMessage(part, protection.protect(part), protection.extraCertificates)) };
  });

/** DER SubjectPublicKeyInfo and Name of the request in a `cr`. */
export const requestedIn = (request: CmpMessage): { readonly spki: Buffer; readonly subject: Buffer } => {
  const template = request.body.members()[0]?.members()[0]?.members()[1]?.members() ?? [];
  const spki = template.find(({ tag }) => tag === TAG.constructed(6))?.bytes ?? Buffer.alloc(0);
  spki[0] = TAG.sequence;
  return { spki, subject: template.find(({ tag }) => tag === TAG.constructed(5))?.only(TAG.constructed(5)).bytes ?? Buffer.alloc(0) };
};

/** A CertRepMessage: status and reasons, and the certificate if there is one. */
export const certificateReply = (status: number, certificate?: Certificate, words: readonly string[] = [], failure?: number): CmpBody => [
  BODY.cp,
  sequence(sequence(sequence(integer(0), statusInfo(status, words, failure), ...(certificate ? [sequence(tagged(0, raw(certificate.der)))] : [])))),
];

export const errorReply = (words: readonly string[]): CmpBody => [BODY.error, sequence(statusInfo(2, words))];

export const pollReply = (seconds: number): CmpBody => [BODY.pollRep, sequence(sequence(integer(0), integer(seconds)))];

export const CONFIRMED: CmpBody = [BODY.pkiConf, nul()];

const statusInfo = (status: number, words: readonly string[], failure?: number): DerNode =>
  sequence(
    integer(status),
    ...(words.length > 0 ? [sequence(...words.map((text) => contents(TAG.utf8String, Buffer.from(text))))] : []),
    ...(failure === undefined ? [] : [bitString(Buffer.from((1n << BigInt(31 - failure)).toString(16).padStart(8, '0'), 'hex'))]),
  );

/** Issues a certificate as the development profile has it, with the subject and the key of the request. */
export const issueFor = async (
  request: CmpMessage,
  { issuer, now, profile = PROFILES.signer() }: { issuer: TrustServiceUnit; now: number; profile?: CertificateProfile },
): Promise<Certificate> => {
  const { spki, subject } = requestedIn(request);
  const made = await issueCertificate(
    {
      profile: { ...profile, subject: new Name(subject as Buffer<ArrayBuffer>) },
      spki,
      serial: newSerial(new SystemRandomness()),
      notBefore: now - HOUR,
      notAfter: now + 365 * 24 * HOUR,
    },
    issuerOf(issuer),
  );
  return Certificate.parse(made);
};

/**
 * An authority that issues whatever is asked for under the shared secret. `profile`: by default that of certificates that point to that trust
 * service.
 */
export const startIssuingCmpServer = (pki: DevelopmentPki, secret: SharedSecret, profile = signerProfile(NOBODY, pki.addresses)): Promise<Peer> =>
  startCmpServer({
    protection: macProtection(secret, Buffer.alloc(16, 1)),
    answer: async (request) =>
      request.type === BODY.certConf ? CONFIRMED : certificateReply(0, await issueFor(request, { issuer: pki.issuing, now: Date.now(), profile })),
  });

/** The request names the person. */
const NOBODY = { givenName: '', familyName: '', personalCode: '', country: 'EE' };
