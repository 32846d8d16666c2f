import { createPrivateKey } from 'node:crypto';

import forge from 'node-forge';

import { Certificate } from '../certificates/certificate.js';
import type { ClientCredentials } from './exchange.js';

/** The key store cannot be opened: wrong password, damaged, or without exactly one key and its certificate. */
export class BadKeyStore extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadKeyStore';
  }
}

const MAX_KEY_STORE_BYTES = 64 * 1024;

const { pkcs8ShroudedKeyBag, certBag } = forge.pki.oids as Record<'pkcs8ShroudedKeyBag' | 'certBag', string>;

/**
 * Credentials for mutual TLS from a PKCS#12 file (RFC 7292), the old RC2 and 3DES ones too, which Node itself no
 * longer opens. The certificate of the key comes first. Throws {@link BadKeyStore}.
 */
export const readKeyStore = (p12: Uint8Array, password: string): ClientCredentials => {
  if (p12.byteLength > MAX_KEY_STORE_BYTES) throw new BadKeyStore('the key store is too large');
  const { keys, certificates } = open(p12, password);
  const [key, ...others] = keys;
  if (!key || others.length > 0) throw new BadKeyStore('the key store must hold exactly one key');
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const own = certificates.find((certificate) => certificate.belongsTo(privateKey));
  if (!own) throw new BadKeyStore("the key store lacks its key's certificate");
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate: [own, ...certificates.filter((certificate) => !certificate.equals(own))].map(({ pem }) => pem).join(''),
  };
};

const open = (p12: Uint8Array, password: string): { readonly keys: readonly Buffer[]; readonly certificates: readonly Certificate[] } => {
  try {
    const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(Buffer.from(p12).toString('latin1')), password);
    const bags = (type: string): readonly forge.pkcs12.Bag[] => store.getBags({ bagType: type })[type] ?? [];
    return { keys: bags(pkcs8ShroudedKeyBag).map(pkcs8Of), certificates: bags(certBag).map((bag) => Certificate.parse(certificateOf(bag))) };
  } catch (cause) {
    throw new BadKeyStore('the key store cannot be opened: is the password right?', { cause });
  }
};

/** forge understands RSA only; it hands over keys of other kinds as they are. */
const pkcs8Of = ({ key, asn1 }: forge.pkcs12.Bag): Buffer => derOf(key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1);

const certificateOf = ({ cert, asn1 }: forge.pkcs12.Bag): Buffer => derOf(cert ? forge.pki.certificateToAsn1(cert) : asn1);

const derOf = (node: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
