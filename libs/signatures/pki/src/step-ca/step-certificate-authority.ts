import { hash } from 'node:crypto';

import { type Clock, type Randomness, ServiceUnavailable } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import {
  CertificateAuthority,
  type CertificateHolder,
  type CertificateRequest,
  type IssuedCertificate,
} from '../certificates/certificate-authority.js';
import { personalNumber, personName } from '../certificates/certificate-profiles.js';
import { chainOfIssued, issuedCertificate, NotIssued, printable, withoutPerson } from '../certificates/issued-certificate.js';
import { commonNameIn, readSigningRequest } from '../certificates/signing-request.js';
import type { TrustStore } from '../certificates/trust-store.js';
import { MalformedDer } from '../der/malformed-der.js';
import { type Egress, exchange, ExchangeFailed } from '../http/exchange.js';
import { oneTimeToken, type Provisioner } from './one-time-token.js';

export interface StepCaSettings {
  /** The address of step-ca, without a path. */
  readonly url: string;
  readonly provisioner: Provisioner;
  /** PEM: the roots of the server's own certificate. Default: those of Node. */
  readonly tlsRoots?: string | undefined;
  /** The roots that issued certificates must lead to. */
  readonly trust: TrustStore;
  /** The authority's certificates between the root and the phones, the issuing one first, where its answers leave them out. */
  readonly issuers: readonly Certificate[];
  /** Milliseconds a call. Default 10 s. */
  readonly timeout?: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly egress?: Egress | undefined;
}

const TIMEOUT = 10_000;
const JSON_TYPE = 'application/json';
const MAX_ANSWER_BYTES = 128 * 1024;
const MAX_CHAIN = 10;
const CREATED = 201;
const SUPERSEDED = 4;

/**
 * A certificate authority that is step-ca, called by its HTTP interface. This service owns the key of a JWK provisioner: the one-time token names the person
 * in the claim `subjectName` (DER, base64) for the provisioner's template, and the phone's request by its hash. A certificate that is not the requested one
 * is revoked at once.
 */
export class StepCertificateAuthority extends CertificateAuthority {
  constructor(private readonly settings: StepCaSettings) {
    super();
  }

  override async issue({ csr, holder }: CertificateRequest): Promise<IssuedCertificate> {
    const { spki } = readSigningRequest(csr);
    try {
      return await this.request(csr, spki, holder);
    } catch (error) {
      if (!(error instanceof NotIssued) && !(error instanceof ExchangeFailed)) throw error;
      throw new ServiceUnavailable(`the certificate authority: ${withoutPerson(error.message, holder)}`);
    }
  }

  private async request(csr: Buffer, spki: Buffer, holder: CertificateHolder): Promise<IssuedCertificate> {
    const { trust, issuers, clock } = this.settings;
    const subjectName = Buffer.from(personName(holder).toArrayBuffer()).toString('base64');
    const cnf = { 'x5rt#S256': hash('sha256', csr, 'base64url') };
    // the phone may have written a name of its own into the request: step-ca refuses one that the token does not permit, and the template drops it
    const commonName = commonNameIn(csr);
    const claims = { subjectName, cnf, ...(commonName !== undefined && { sans: [commonName] }) };
    const answer = await this.call('/1.0/sign', personalNumber(holder), claims, (ott) => ({ csr: pemOf(csr), ott }), CREATED);
    const [certificate, ...rest] = certificatesIn(answer);
    const chain = chainOfIssued(certificate, [...issuers, ...rest], { spki, holder, trust, now: clock.now() });
    if (!(chain instanceof NotIssued)) return issuedCertificate(certificate, chain);
    await this.revoke(certificate).catch((error: unknown) => {
      if (!(error instanceof ExchangeFailed)) throw error;
      throw new NotIssued(`${chain.message}. It is not revoked: ${error.message}`);
    });
    throw chain;
  }

  private async revoke({ serial }: Certificate): Promise<void> {
    const number = BigInt(`0x${serial.toString('hex')}`).toString();
    const body = (ott: string) => ({ serial: number, ott, passive: true, reasonCode: SUPERSEDED, reason: 'not the certificate that was asked for' });
    await this.call('/1.0/revoke', number, {}, body, 200);
  }

  private call(
    path: string,
    subject: string,
    claims: Readonly<Record<string, unknown>>,
    body: (token: string) => object,
    status: number,
  ): Promise<Buffer> {
    const { url, provisioner, tlsRoots, egress, timeout = TIMEOUT, clock, randomness } = this.settings;
    const audience = new URL(path, url).href;
    const id = randomness.bytes(32).toString('hex');
    const token = oneTimeToken(provisioner, { audience, subject, id, now: clock.now(), claims });
    const request = { url: audience, body: Buffer.from(JSON.stringify(body(token))), contentType: JSON_TYPE, accept: JSON_TYPE, status };
    return exchange({ ...request, tlsRoots, egress, timeout, limit: MAX_ANSWER_BYTES, reasonIn });
  }
}

const pemOf = (csr: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${csr.toString('base64').replace(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE REQUEST-----\n`;

const fieldsOf = (answer: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const fields: unknown = JSON.parse(answer.toString());
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** The message of step-ca's error. */
const reasonIn = (answer: Buffer): string | undefined => {
  const { message } = fieldsOf(answer);
  return typeof message === 'string' ? printable(message) : undefined;
};

/** `certChain` of the answer: the phone's certificate first. */
const certificatesIn = (answer: Buffer): readonly [Certificate, ...Certificate[]] => {
  const { certChain } = fieldsOf(answer);
  const texts = Array.isArray(certChain) ? certChain.slice(0, MAX_CHAIN).filter((one) => typeof one === 'string') : [];
  try {
    const [first, ...rest] = texts.map((pem) => Certificate.parse(derOf(pem)));
    if (first) return [first, ...rest];
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    throw new NotIssued(`its answer is malformed: ${error.message}`);
  }
  throw new NotIssued('it sent no certificate');
};

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----(BEGIN|END) CERTIFICATE-----/g, ''), 'base64');
