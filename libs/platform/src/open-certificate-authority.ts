import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { InvalidSettings, type TrustServiceSettings } from '#config';
import type { Clock, Randomness } from '#kernel';
import { type Certificate, type CertificateAuthority, CmpCertificateAuthority, type CmpSettings, type TrustStore } from '#pki';

import { certificatesIn, certificatesOf } from './certificate-files.js';
import { clientCredentials } from './client-credentials.js';

interface AuthorityParts {
  readonly trust: TrustStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** The certificate authority at `CA_CMP_URL`; undefined without one. Throws {@link InvalidSettings}. */
export const openCertificateAuthority = async (settings: TrustServiceSettings, parts: AuthorityParts): Promise<CertificateAuthority | undefined> => {
  if (settings.caCmpUrl === undefined) return undefined;
  return new CmpCertificateAuthority({
    url: settings.caCmpUrl,
    credentials: settings.caCmpSecretFile === undefined ? await signingIdentity(settings) : await sharedSecret(settings.caCmpSecretFile),
    issuers: await certificatesIn('CA_ISSUERS', settings.caIssuers),
    profile: settings.caCmpProfile,
    ...parts,
  });
};

const sharedSecret = async (path: string): Promise<CmpSettings['credentials']> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new InvalidSettings(['CA_CMP_SECRET_FILE must be the path of a readable file.'], { cause });
  });
  const [, reference, secret] = /^([^:\s]+):(\S.*)$/.exec(text.trim()) ?? [];
  if (reference === undefined || secret === undefined) throw new InvalidSettings(['CA_CMP_SECRET_FILE must hold reference:secret.']);
  return { reference, secret };
};

const signingIdentity = async (settings: TrustServiceSettings): Promise<CmpSettings['credentials']> => {
  const { caCmpKeyStore: keyStore, caCmpKeyStorePasswordFile: passwordFile, caCmpSigners } = settings;
  const credentials = await clientCredentials({ prefix: 'CA_CMP', keyStore, passwordFile });
  const [own, ...chain] = certificatesOf(credentials?.certificate ?? '');
  if (!own || credentials?.privateKey === undefined) throw new InvalidSettings(['CA_CMP_KEY_STORE must hold a key and its certificate.']);
  const answeredBy: readonly Certificate[] = await certificatesIn('CA_CMP_SIGNERS', caCmpSigners);
  return { key: createPrivateKey(credentials.privateKey), certificates: [own, ...chain], answeredBy };
};
