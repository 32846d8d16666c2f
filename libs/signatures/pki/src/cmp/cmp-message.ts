import { bitString, contents, type DerNode, encode, generalizedTime, integer, octetString, oid, raw, sequence, TAG, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { Certificate } from '../certificates/certificate.js';

/** PKIBody, by the numbers of its choices (RFC 4210 §5.1.2). */
export const BODY = { cr: 2, cp: 3, error: 23, certConf: 24, pkiConf: 19, pollReq: 25, pollRep: 26 } as const;

export const CMP_OID = {
  implicitConfirm: '1.3.6.1.5.5.7.4.13',
  certProfile: '1.3.6.1.5.5.7.4.21',
  passwordBasedMac: '1.2.840.113533.7.66.13',
  hmacSha1: '1.3.6.1.5.5.8.1.2',
  hmacWithSha1: '1.2.840.113549.2.7',
  hmacWithSha256: '1.2.840.113549.2.9',
  hmacWithSha384: '1.2.840.113549.2.10',
  hmacWithSha512: '1.2.840.113549.2.11',
} as const;

/** The fields of a PKIHeader (RFC 4210 §5.1.1) that are written. */
export interface HeaderParts {
  /** DER Names. */
  readonly sender: Buffer;
  readonly recipient: Buffer;
  /** Epoch milliseconds. */
  readonly messageTime: number;
  readonly protectionAlgorithm: DerNode;
  readonly senderKid: Buffer | undefined;
  readonly transactionId: Buffer;
  readonly senderNonce: Buffer;
  readonly recipientNonce: Buffer | undefined;
  /** InfoTypeAndValues. */
  readonly generalInfo: readonly DerNode[];
}

/** A PKIMessage, read and not verified. */
export interface CmpMessage {
  readonly senderKid: Buffer | undefined;
  readonly transactionId: Buffer | undefined;
  readonly senderNonce: Buffer | undefined;
  readonly recipientNonce: Buffer | undefined;
  /** Whether the certificate needs no confirmation (RFC 4210 §5.1.1.1). */
  readonly confirmed: boolean;
  readonly protectionAlgorithm: DerReader | undefined;
  readonly protection: Buffer | undefined;
  /** DER ProtectedPart: the bytes that the protection covers. */
  readonly protectedPart: Buffer;
  /** A number of {@link BODY}. */
  readonly type: number;
  readonly body: DerReader;
  readonly extraCertificates: readonly Certificate[];
}

export const MAX_CMP_BYTES = 256 * 1024;
const MAX_CERTIFICATES = 32;
const VERSION = 2;
const CONTEXT = 0xa0;

export const encodeHeader = (parts: HeaderParts): DerNode =>
  sequence(
    integer(VERSION),
    tagged(4, raw(parts.sender)),
    tagged(4, raw(parts.recipient)),
    tagged(0, generalizedTime(parts.messageTime)),
    tagged(1, parts.protectionAlgorithm),
    ...(parts.senderKid ? [tagged(2, octetString(parts.senderKid))] : []),
    tagged(4, octetString(parts.transactionId)),
    tagged(5, octetString(parts.senderNonce)),
    ...(parts.recipientNonce ? [tagged(6, octetString(parts.recipientNonce))] : []),
    ...(parts.generalInfo.length > 0 ? [tagged(8, sequence(...parts.generalInfo))] : []),
  );

/** DER ProtectedPart (RFC 4210 §5.1.3). `type`: the choice that `body` is. */
export const encodeProtectedPart = (header: DerNode, type: number, body: DerNode): Buffer => encode(sequence(header, tagged(type, body)));

/** PKIMessage around a ProtectedPart. */
export const encodeMessage = (protectedPart: Buffer, protection: Buffer, extraCertificates: readonly Certificate[]): Buffer => {
  const fields = DerReader.parse(protectedPart, MAX_CMP_BYTES).fields();
  return encode(
    sequence(
      raw(fields.take().bytes),
      raw(fields.take().bytes),
      tagged(0, bitString(protection)),
      ...(extraCertificates.length > 0 ? [tagged(1, sequence(...extraCertificates.map(({ der }) => raw(der))))] : []),
    ),
  );
};

/** InfoTypeAndValue. */
export const infoValue = (type: string, value: DerNode): DerNode => sequence(oid(type), value);

/** Throws {@link MalformedDer}. */
export const readMessage = (der: Uint8Array): CmpMessage => {
  const fields = DerReader.parse(der, MAX_CMP_BYTES).fields();
  const header = fields.take();
  const body = fields.take();
  const protection = fields.maybe(TAG.constructed(0))?.only(TAG.constructed(0)).bits();
  const extra = fields.maybe(TAG.constructed(1))?.only(TAG.constructed(1)).members(TAG.sequence) ?? [];
  fields.end();
  if (extra.length > MAX_CERTIFICATES) throw new MalformedDer('too many certificates');
  if ((body.tag & 0xe0) !== CONTEXT) throw new MalformedDer('body of a CMP message');
  return {
    ...readHeader(header),
    protection,
    protectedPart: encode(sequence(raw(header.bytes), raw(body.bytes))),
    type: body.tag & 0x1f,
    body: body.only(body.tag),
    extraCertificates: extra.map(({ bytes }) => Certificate.parse(bytes)),
  };
};

const readHeader = (header: DerReader) => {
  const fields = header.fields();
  const version = fields.take().small();
  if (version < VERSION || version > VERSION + 1) throw new MalformedDer('version of the CMP message');
  fields.take();
  fields.take();
  const optional = (number: number): DerReader | undefined => fields.maybe(TAG.constructed(number))?.only(TAG.constructed(number));
  optional(0);
  const protectionAlgorithm = optional(1);
  const senderKid = optional(2)?.octets();
  optional(3);
  const transactionId = optional(4)?.octets();
  const senderNonce = optional(5)?.octets();
  const recipientNonce = optional(6)?.octets();
  optional(7);
  const generalInfo = optional(8)?.members(TAG.sequence) ?? [];
  fields.end();
  const confirmed = generalInfo.some((info) => info.fields().take().oid() === CMP_OID.implicitConfirm);
  return { protectionAlgorithm, senderKid, transactionId, senderNonce, recipientNonce, confirmed };
};

/** `[number] IMPLICIT` over a primitive type without content. */
export const emptyChoice = (number: number): DerNode => contents(TAG.primitive(number), Buffer.alloc(0));
