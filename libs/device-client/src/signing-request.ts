import 'reflect-metadata';

import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';

import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';

type KeyParameters =
  { readonly name: 'ECDSA'; readonly namedCurve: string; readonly hash: string } | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: string };

/** DER of a PKCS#10 request (RFC 2986) for a private key. Without a name: the certificate's contents come from the register. */
export const signingRequest = async (key: KeyObject): Promise<Buffer> => {
  const parameters = parametersOf(key);
  const keys = {
    privateKey: await importKey('pkcs8', key.export({ format: 'der', type: 'pkcs8' }), parameters, 'sign'),
    publicKey: await importKey('spki', createPublicKey(key).export({ format: 'der', type: 'spki' }), parameters, 'verify'),
  };
  const request = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: parameters });
  return Buffer.from(request.rawData);
};

const parametersOf = (key: KeyObject): KeyParameters => {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' };
  const p384 = key.asymmetricKeyDetails?.namedCurve === 'secp384r1';
  return { name: 'ECDSA', namedCurve: p384 ? 'P-384' : 'P-256', hash: p384 ? 'SHA-384' : 'SHA-256' };
};

const importKey = (format: 'pkcs8' | 'spki', der: Buffer, parameters: KeyParameters, usage: 'sign' | 'verify') =>
  webcrypto.subtle.importKey(format, der, parameters, true, [usage]);
