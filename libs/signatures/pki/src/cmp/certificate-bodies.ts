import { hash } from 'node:crypto';

import { Certificate } from '../certificates/certificate.js';
import { printable } from '../certificates/issued-certificate.js';
import { type DerNode, integer, octetString, raw, sequence, TAG, tagged } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { emptyChoice } from './cmp-message.js';

/** PKIStatusInfo (RFC 4210 §5.2.3). */
export interface CmpStatus {
  /** 0 accepted, 1 granted with changes, 2 rejected, 3 waiting. */
  readonly status: number;
  /** The authority's words, and the names of the reasons. */
  readonly reasons: readonly string[];
}

/** The answer to the one request of a message. */
export interface CertificateAnswer extends CmpStatus {
  readonly certificate: Certificate | undefined;
  readonly caCertificates: readonly Certificate[];
}

/** The number of the one request in our messages. */
const REQUEST = 0;

/**
 * CertReqMessages with one request (RFC 4211 §3 and 5): subject and key. The proof of possession is `raVerified`: the registration authority
 * says that it has verified the proof.
 */
export const certificateRequest = ({ subject, spki }: { readonly subject: Buffer; readonly spki: Buffer }): DerNode => {
  const publicKey = Buffer.from(spki);
  publicKey[0] = TAG.constructed(6);
  return sequence(sequence(sequence(integer(REQUEST), sequence(tagged(5, raw(subject)), raw(publicKey))), emptyChoice(0)));
};

/** CertRepMessage (RFC 4210 §5.3.4). Throws {@link MalformedDer}. */
export const readCertificateAnswer = (body: DerReader): CertificateAnswer => {
  const fields = body.fields();
  const caCertificates = fields.maybe(TAG.constructed(1))?.only(TAG.constructed(1)).members(TAG.sequence) ?? [];
  const response = fields.take().only(TAG.sequence).fields();
  fields.end();
  if (response.take().small() !== REQUEST) throw new MalformedDer('an answer to another request');
  const status = readStatus(response.take());
  const pair = response.maybe(TAG.sequence)?.members()[0];
  const certificate = pair?.tag === TAG.constructed(0) ? Certificate.parse(pair.only(TAG.constructed(0)).bytes) : undefined;
  return { ...status, certificate, caCertificates: caCertificates.map(({ bytes }) => Certificate.parse(bytes)) };
};

/** ErrorMsgContent (RFC 4210 §5.3.21). Throws {@link MalformedDer}. */
export const readError = (body: DerReader): CmpStatus => readStatus(body.fields().take());

/** CertConfirmContent (RFC 4210 §5.3.18): whether the certificate is taken. */
export const certificateConfirmation = (certificate: Certificate, digest: 'sha256' | 'sha384' | 'sha512', taken: boolean): DerNode =>
  sequence(sequence(octetString(hash(digest, certificate.der, 'buffer')), integer(REQUEST), sequence(integer(taken ? 0 : 2))));

/** PollReqContent (RFC 4210 §5.3.22). */
export const pollRequest = (): DerNode => sequence(sequence(integer(REQUEST)));

/** The seconds to wait before the next poll, from a PollRepContent. Throws {@link MalformedDer}. */
export const readPollAnswer = (body: DerReader): number => {
  const fields = body.only(TAG.sequence).fields();
  if (fields.take().small() !== REQUEST) throw new MalformedDer('an answer to another request');
  return fields.take().small();
};

const readStatus = (reader: DerReader): CmpStatus => {
  const fields = reader.fields();
  const status = fields.take().small();
  const words =
    fields
      .maybe(TAG.sequence)
      ?.members()
      .map((text) => text.as(TAG.utf8String).content().toString()) ?? [];
  const failures = fields.maybe(TAG.bitString)?.content();
  return { status, reasons: [...words, ...(failures ? namesOf(failures) : [])].map(printable) };
};

/** PKIFailureInfo (RFC 4210 §5.2.3), by its bits. */
const FAILURES = (
  'badAlg badMessageCheck badRequest badTime badCertId badDataFormat wrongAuthority incorrectData missingTimeStamp badPOP certRevoked certConfirmed ' +
  'wrongIntegrity badRecipientNonce timeNotAvailable unacceptedPolicy unacceptedExtension addInfoNotAvailable badSenderNonce badCertTemplate ' +
  'signerNotTrusted transactionIdInUse unsupportedVersion notAuthorized systemUnavail systemFailure duplicateCertReq'
).split(' ');

/** A BIT STRING with named bits: the first octet counts unused bits. */
const namesOf = (bits: Buffer): readonly string[] => FAILURES.filter((_, at) => ((bits[1 + (at >> 3)] ?? 0) >> (7 - (at & 7))) & 1);
