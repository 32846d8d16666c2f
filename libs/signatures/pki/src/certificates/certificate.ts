import { type KeyObject, X509Certificate } from 'node:crypto';

import { sha256 } from '#kernel';

import { algorithmStrongUntil, readScheme } from '../cms/algorithms.js';
import type { HashName } from '../cms/signature-scheme.js';
import { keyStrongUntil } from '../cms/cryptographic-constraints.js';
import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { ReadBefore } from '../der/read-before.js';
import { OID } from '../der/oids.js';
import { type Extension, readExtensions } from './extensions.js';
import { attributeIn } from './name-text.js';
import { crlAddresses, ocspAddresses } from './revocation-addresses.js';
import { sameName } from './same-name.js';

/** Bits of keyUsage, RFC 5280 §4.2.1.3. */
export type KeyUsage = (typeof KEY_USAGES)[number];

const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

/** The two names of a person may have 64 KiB together: a registration has no more, and X.520 allows it. */
const MAX_CERTIFICATE_BYTES = 96 * 1024;

// The same few certificates (CAs, responder, time-stamping unit) are in every container: they are parsed and judged once.
const remembered = new ReadBefore<Certificate>(500);

/** A certificate as it was read (RFC 5280 §4.1), unchanged and not verified: `TrustStore` verifies it. */
export class Certificate {
  /** DER Names, byte for byte. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** Content octets of the serial number. */
  readonly serial: Buffer;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** DER SubjectPublicKeyInfo, and the octets of the key inside it. */
  readonly spki: Buffer;
  readonly keyOctets: Buffer;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** The AlgorithmIdentifier of its signature. */
  private readonly algorithm: DerReader;
  private readonly signatures = new WeakMap<Certificate, boolean>();
  private readonly readings = new Map<string, unknown>();
  private key: KeyObject | undefined;

  private constructor(
    readonly der: Buffer,
    /** SHA-256 of the certificate, hex. */
    readonly fingerprint: string,
    private readonly x509: X509Certificate,
  ) {
    const outer = DerReader.parse(der, MAX_CERTIFICATE_BYTES).fields();
    const fields = outer.take().fields();
    fields.maybe(TAG.constructed(0));
    this.serial = fields.take().integer();
    this.algorithm = fields.take();
    this.issuer = fields.take().as(TAG.sequence).bytes;
    const validity = fields.take().fields();
    this.notBefore = validity.take().time();
    this.notAfter = validity.take().time();
    this.subject = fields.take().as(TAG.sequence).bytes;
    const key = fields.take();
    this.spki = key.bytes;
    const keyFields = key.fields();
    keyFields.take();
    this.keyOctets = keyFields.take().bits();
    fields.maybe(TAG.primitive(1));
    fields.maybe(TAG.primitive(2));
    this.extensions = readExtensions(fields.maybe(TAG.constructed(3)));
    fields.end();
    if (!outer.take().bytes.equals(this.algorithm.bytes)) throw new MalformedDer('the signature algorithm stands differently in a certificate');
  }

  /** Throws {@link MalformedDer}. */
  static parse(der: Uint8Array): Certificate {
    if (der.byteLength > MAX_CERTIFICATE_BYTES) throw new MalformedDer('certificate too large');
    const known = remembered.find(der);
    if (known) return known;
    const bytes = Buffer.from(der);
    try {
      const certificate = new Certificate(bytes, sha256(bytes).toString('hex'), new X509Certificate(bytes));
      remembered.add(certificate);
      return certificate;
    } catch (error) {
      throw error instanceof MalformedDer ? error : new MalformedDer('certificate', { cause: error });
    }
  }

  /** Throws {@link MalformedDer} for a key that OpenSSL cannot read. */
  get publicKey(): KeyObject {
    try {
      return (this.key ??= this.x509.publicKey);
    } catch (cause) {
      throw new MalformedDer('public key', { cause });
    }
  }

  /** The last text of an attribute of the subject or issuer, by its object identifier. */
  subjectAttribute(type: string): string | undefined {
    return this.once(`subject ${type}`, () => attributeIn(this.subject, type));
  }

  issuerAttribute(type: string): string | undefined {
    return this.once(`issuer ${type}`, () => attributeIn(this.issuer, type));
  }

  get isCa(): boolean {
    return this.basicConstraints.ca;
  }

  get pathLength(): number | undefined {
    return this.basicConstraints.pathLength;
  }

  get selfIssued(): boolean {
    return this.once('selfIssued', () => sameName(this.issuer, this.subject));
  }

  /** The usages named, or undefined when the extension is absent (any usage). */
  get keyUsage(): ReadonlySet<KeyUsage> | undefined {
    return this.once('keyUsage', () => {
      const bits = this.value(OID.keyUsage)?.as(TAG.bitString).content().subarray(1);
      return bits && new Set(KEY_USAGES.filter((_, bit) => ((bits[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1));
    });
  }

  get extendedKeyUsage(): readonly string[] | undefined {
    return this.once('extendedKeyUsage', () =>
      this.value(OID.extKeyUsage)
        ?.members(TAG.sequence)
        .map((usage) => usage.oid()),
    );
  }

  /** The addresses over HTTP of all responders that the certificate names, in their order. */
  get ocspUrls(): readonly string[] {
    return this.once('ocspUrls', () => ocspAddresses(this.value(OID.authorityInfoAccess)));
  }

  /** The addresses over HTTP of all lists that the certificate names, in their order. */
  get crlUrls(): readonly string[] {
    return this.once('crlUrls', () => crlAddresses(this.value(OID.crlDistributionPoints)));
  }

  /** Until when a signature by its key is acceptable, by ETSI TS 119 312. Epoch milliseconds; `Infinity` without an end, `-Infinity` of a curve without a name. */
  get keyStrongUntil(): number {
    return this.once('keyStrongUntil', () => (this.namesItsCurve ? keyStrongUntil(this.publicKey) : -Infinity));
  }

  /** RFC 5480 §2.1.1: parameters that are spelt out could describe a curve of the sender's own making. True of a key of another kind. */
  private get namesItsCurve(): boolean {
    const algorithm = DerReader.parse(this.spki, MAX_CERTIFICATE_BYTES).fields().take().fields();
    return algorithm.take().oid() !== OID.ecPublicKey || algorithm.maybe(TAG.oid) !== undefined;
  }

  /** Whether a signature by its key was acceptable at that moment (epoch milliseconds), by ETSI TS 119 312. */
  hasStrongKey(at: number): boolean {
    return at < this.keyStrongUntil;
  }

  /** Whether the algorithm of its signature was acceptable at that moment: neither MD5 nor SHA-1, for example. Epoch milliseconds. */
  hasStrongSignature(at: number): boolean {
    return at < this.once('signatureStrongUntil', () => algorithmStrongUntil(this.algorithm));
  }

  /** The hash of its signature; undefined of an outdated or unknown algorithm. */
  get signatureHash(): HashName | undefined {
    return readScheme(this.algorithm)?.hash;
  }

  isValidAt(at: number): boolean {
    return this.notBefore <= at && at <= this.notAfter;
  }

  /** Names, algorithm and signature only; whether the issuer may issue is another question. */
  isSignedBy(issuer: Certificate): boolean {
    let signed = this.signatures.get(issuer);
    if (signed === undefined) {
      signed = sameName(this.issuer, issuer.subject) && this.verifiesUnder(issuer);
      this.signatures.set(issuer, signed);
    }
    return signed;
  }

  private verifiesUnder(issuer: Certificate): boolean {
    try {
      return this.x509.verify(issuer.publicKey);
    } catch {
      return false; // a key of another type, or one that cannot be read
    }
  }

  belongsTo(privateKey: KeyObject): boolean {
    return this.x509.checkPrivateKey(privateKey);
  }

  get pem(): string {
    return this.x509.toString();
  }

  equals(other: Certificate): boolean {
    return this.fingerprint === other.fingerprint;
  }

  private get basicConstraints(): { readonly ca: boolean; readonly pathLength: number | undefined } {
    return this.once('basicConstraints', () => {
      const fields = this.value(OID.basicConstraints)?.fields();
      const ca = fields?.maybe(TAG.boolean)?.boolean() ?? false;
      return { ca, pathLength: fields?.maybe(TAG.integer)?.small() };
    });
  }

  /** What a certificate says does not change, so each thing is read once. A certificate that cannot be read throws each time. */
  private once<T>(name: string, read: () => T): T {
    if (!this.readings.has(name)) this.readings.set(name, read());
    return this.readings.get(name) as T;
  }

  private value(type: string): DerReader | undefined {
    const extension = this.extensions.get(type);
    return extension && DerReader.parse(extension.value, MAX_CERTIFICATE_BYTES);
  }
}
