import { type Clock, type Pause, pause as systemPause, type Randomness, ServiceUnavailable } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import {
  CertificateAuthority,
  type CertificateHolder,
  type CertificateRequest,
  type IssuedCertificate,
} from '../certificates/certificate-authority.js';
import { personName } from '../certificates/certificate-profiles.js';
import { chainOfIssued, issuedCertificate, NotIssued, withoutPerson } from '../certificates/issued-certificate.js';
import { readSigningRequest } from '../certificates/signing-request.js';
import type { TrustStore } from '../certificates/trust-store.js';
import { contents, nul, sequence, TAG } from '../der/der.js';
import { MalformedDer } from '../der/malformed-der.js';
import { type Egress, ExchangeFailed } from '../http/exchange.js';
import {
  type CertificateAnswer,
  certificateConfirmation,
  certificateRequest,
  type CmpStatus,
  pollRequest,
  readCertificateAnswer,
  readError,
  readPollAnswer,
} from './certificate-bodies.js';
import { BODY, CMP_OID, type CmpMessage, infoValue } from './cmp-message.js';
import { BadProtection, macProtection, type SharedSecret, signatureProtection, type SigningIdentity } from './cmp-protection.js';
import { CmpTransaction } from './cmp-transaction.js';

export interface CmpSettings {
  readonly url: string;
  /** The credentials by which this service and the authority authenticate each other. */
  readonly credentials: SharedSecret | SigningIdentity;
  /** The roots that issued certificates must lead to. */
  readonly trust: TrustStore;
  /** The authority's certificates between the root and the phones, the issuing one first, where its answers leave them out. */
  readonly issuers: readonly Certificate[];
  /** The name of the authority's profile to ask for (RFC 9480 §2.1). */
  readonly profile?: string | undefined;
  /** Milliseconds a call. Default 10 s. */
  readonly timeout?: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly pause?: Pause;
  readonly egress?: Egress | undefined;
}

const TIMEOUT = 10_000;
/** The longest wait for a decision, in milliseconds. A phone waits for the answer. */
const LONGEST_WAIT = 20_000;
const EMPTY_NAME = Buffer.of(0x30, 0);
const WAITING = 3;

/**
 * A certificate authority that is called by CMP over HTTP (RFC 9483 lightweight profile; RFC 4210, RFC 9480). This service is its registration authority: it
 * sends `cr` in the name of the holder with `raVerified`, since it has verified the proof of possession. It polls while the authority has not decided, and
 * confirms the certificate unless the authority waives that.
 */
export class CmpCertificateAuthority extends CertificateAuthority {
  constructor(private readonly settings: CmpSettings) {
    super();
  }

  override async issue({ csr, holder }: CertificateRequest): Promise<IssuedCertificate> {
    const { spki } = readSigningRequest(csr);
    try {
      return await this.request(spki, holder);
    } catch (error) {
      const known = error instanceof NotIssued || error instanceof ExchangeFailed || error instanceof BadProtection || error instanceof MalformedDer;
      if (!known) throw error;
      const what = error instanceof MalformedDer ? `its answer is malformed: ${error.message}` : error.message;
      throw new ServiceUnavailable(`the certificate authority: ${withoutPerson(what, holder)}`);
    }
  }

  private async request(spki: Buffer, holder: CertificateHolder): Promise<IssuedCertificate> {
    const transaction = this.transaction();
    const subject = Buffer.from(personName(holder).toArrayBuffer());
    const first = await transaction.ask(BODY.cr, certificateRequest({ subject, spki }), this.generalInfo());
    const message = await this.whenDecided(transaction, first);
    const answer = granted(message);
    const { certificate } = answer;
    const { trust, issuers, clock } = this.settings;
    const pool = [...issuers, ...answer.caCertificates, ...message.extraCertificates];
    const chain = chainOfIssued(certificate, pool, { spki, holder, trust, now: clock.now() });
    if (!message.confirmed) await confirm(transaction, certificate, !(chain instanceof NotIssued));
    if (chain instanceof NotIssued) throw chain;
    return issuedCertificate(certificate, chain);
  }

  private transaction(): CmpTransaction {
    const { url, credentials, issuers, egress, timeout = TIMEOUT, clock, randomness } = this.settings;
    const protection = 'secret' in credentials ? macProtection(credentials, randomness.bytes(16)) : signatureProtection(credentials);
    return new CmpTransaction({ url, recipient: issuers[0]?.subject ?? EMPTY_NAME, protection, egress, timeout, clock, randomness });
  }

  private generalInfo() {
    const { profile } = this.settings;
    return [
      infoValue(CMP_OID.implicitConfirm, nul()),
      ...(profile === undefined ? [] : [infoValue(CMP_OID.certProfile, sequence(contents(TAG.utf8String, Buffer.from(profile))))]),
    ];
  }

  /** Polls while the authority has not decided and the phone can wait (RFC 9483 §4.4). */
  private async whenDecided(transaction: CmpTransaction, first: CmpMessage): Promise<CmpMessage> {
    const { pause = systemPause } = this.settings;
    let message = first;
    let waited = 0;
    while (message.type === BODY.cp && readCertificateAnswer(message.body).status === WAITING) {
      message = await transaction.ask(BODY.pollReq, pollRequest());
      while (message.type === BODY.pollRep) {
        const wait = Math.max(1, readPollAnswer(message.body)) * 1000;
        waited += wait;
        if (waited > LONGEST_WAIT)
          throw new NotIssued(`it has not decided yet, and wants to be asked again in ${wait / 1000} s: a phone cannot wait that long`);
        await pause(wait);
        message = await transaction.ask(BODY.pollReq, pollRequest());
      }
    }
    return message;
  }
}

type Granted = CertificateAnswer & { readonly certificate: Certificate };

const granted = (message: CmpMessage): Granted => {
  if (message.type === BODY.error) throw new NotIssued(`it answered with an error${because(readError(message.body))}`);
  if (message.type !== BODY.cp) throw new NotIssued(`it answered with a message of type ${message.type}`);
  const answer = readCertificateAnswer(message.body);
  if (answer.status > 1) throw new NotIssued(`it refused the request${because(answer)}`);
  const { certificate } = answer;
  if (!certificate) throw new NotIssued('it granted the request and sent no certificate');
  return { ...answer, certificate };
};

const because = ({ reasons }: CmpStatus): string => (reasons.length > 0 ? `: ${reasons.join(', ')}` : '');

/** RFC 9483 §4.1.1: the certificate counts once it is confirmed. */
const confirm = async (transaction: CmpTransaction, certificate: Certificate, taken: boolean): Promise<void> => {
  const digest = certificate.signatureHash ?? 'sha256';
  const answer = await transaction.ask(BODY.certConf, certificateConfirmation(certificate, digest, taken));
  if (taken && answer.type !== BODY.pkiConf)
    throw new NotIssued(`it did not take the confirmation${answer.type === BODY.error ? because(readError(answer.body)) : ''}`);
};
