import { element, type Xml } from './xml.js';

/** A reference to validation objects, by their ids. */
export const reference = (name: string, ...ids: readonly string[]): Xml => element(name, [], { VOReference: ids.join(' ') });

/** XAdES DigestAlgAndValueType. */
export const digest = (algorithm: keyof typeof DIGEST_METHODS, value: Uint8Array): Xml =>
  element('vr:DigestAlgAndValue', [
    element('ds:DigestMethod', [], { Algorithm: DIGEST_METHODS[algorithm] }),
    element('ds:DigestValue', Buffer.from(value).toString('base64')),
  ]);

/** RFC 9231 §2.1. */
const DIGEST_METHODS = {
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
} as const;

/** An xs:dateTime in UTC. `at`: epoch milliseconds. */
export const time = (name: string, at: number): Xml => element(name, new Date(at).toISOString());

/** POEType: the validation proves that something existed at `at`, with the object of that id. */
export const proofOfExistence = (name: string, at: number, object?: string): Xml =>
  element(name, [
    time('vr:POETime', at),
    element('vr:TypeOfProof', 'urn:etsi:019102:poetype:validation'),
    object === undefined ? undefined : reference('vr:POEObject', object),
  ]);
