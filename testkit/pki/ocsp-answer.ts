import { hash } from 'node:crypto';

import {
  bitString,
  Certificate,
  certificateId,
  contents,
  type DerNode,
  encode,
  encodeCertificateId,
  enumerated,
  generalizedTime,
  nonceExtension,
  octetString,
  oid,
  OID,
  raw,
  sequence,
  signatureAlgorithm,
  signWith,
  TAG,
  tagged,
  type TrustServiceUnit,
} from '#signatures/pki';
import type { DevelopmentKit } from './development-kit.js';

export interface OcspAnswer {
  readonly about: Certificate;
  /** One statement for each. Default: good. */
  readonly statuses?: readonly ('good' | 'revoked' | 'unknown')[];
  /** Epoch milliseconds. Default: now. */
  readonly producedAt?: number;
  readonly thisUpdate?: number;
  readonly nextUpdate?: number | undefined;
  readonly nonce?: Buffer;
  /** Default: the responder of the development authority. */
  readonly by?: TrustServiceUnit;
  /** ResponderID. Default: the hash of the responder's key. */
  readonly id?: DerNode;
  /** CertID. Default: by SHA-1. */
  readonly certificateId?: DerNode;
  /** Default: the responder's own. */
  readonly certificates?: readonly Buffer[];
}

/** An OCSP response as a foreign responder may give it. DER. */
export const ocspAnswer = ({ pki, clock, issuing }: DevelopmentKit, answer: OcspAnswer): Buffer => {
  const { about, by = pki.responder, statuses = ['good'], certificates = [by.certificate], nonce } = answer;
  const { producedAt = clock.now(), thisUpdate = producedAt, nextUpdate } = answer;
  const responder = Certificate.parse(by.certificate);
  const single = (status: DerNode): DerNode =>
    sequence(
      answer.certificateId ?? encodeCertificateId(certificateId(about.serial, issuing)),
      status,
      generalizedTime(thisUpdate),
      ...(nextUpdate === undefined ? [] : [tagged(0, generalizedTime(nextUpdate))]),
    );
  const data = sequence(
    answer.id ?? tagged(2, octetString(hash('sha1', responder.keyOctets, 'buffer'))),
    generalizedTime(producedAt),
    sequence(...statuses.map((status) => single(STATUSES[status](thisUpdate)))),
    ...(nonce ? [tagged(1, sequence(nonceExtension(encode(octetString(nonce)))))] : []),
  );
  const signature = bitString(signWith(by.privateKey, 'sha256', encode(data)));
  const chain = certificates.length > 0 ? [tagged(0, sequence(...certificates.map(raw)))] : [];
  const basic = encode(sequence(data, signatureAlgorithm(responder.publicKey, 'sha256'), signature, ...chain));
  return encode(sequence(enumerated(0), tagged(0, sequence(oid(OID.ocspBasic), octetString(basic)))));
};

const STATUSES = {
  good: () => contents(TAG.primitive(0), Buffer.alloc(0)),
  revoked: (at: number) => tagged(1, generalizedTime(at)),
  unknown: () => contents(TAG.primitive(2), Buffer.alloc(0)),
} as const;
