import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { InvalidSettings, type TrustServiceSettings } from '#service/config';
import type { Clock, Randomness } from '#kernel';
import {
  BadProvisionerKey,
  type Certificate,
  type CertificateAuthority,
  CmpCertificateAuthority,
  type CmpSettings,
  type Egress,
  readProvisionerKey,
  StepCertificateAuthority,
  type TrustStore,
} from '#signatures/pki';

import { certificatesIn, certificatesOf } from './certificate-files.js';
import { clientCredentials } from './client-credentials.js';

interface AuthorityParts {
  readonly egress?: Egress | undefined;
  readonly trust: TrustStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** The certificate authority at `CA_CMP_URL` or `CA_STEP_URL`; undefined without one. Throws {@link InvalidSettings}. */
export const openCertificateAuthority = async (settings: TrustServiceSettings, parts: AuthorityParts): Promise<CertificateAuthority | undefined> => {
  if (settings.caStepUrl !== undefined) return stepAuthority(settings.caStepUrl, settings, parts);
  if (settings.caCmpUrl === undefined) return undefined;
  return new CmpCertificateAuthority({
    url: settings.caCmpUrl,
    credentials: settings.caCmpSecretFile === undefined ? await signingIdentity(settings) : await sharedSecret(settings.caCmpSecretFile),
    issuers: await certificatesIn('CA_ISSUERS', settings.caIssuers),
    profile: settings.caCmpProfile,
    ...parts,
  });
};

const stepAuthority = async (url: string, settings: TrustServiceSettings, parts: AuthorityParts): Promise<CertificateAuthority> => {
  const { caStepProvisioner: name, caStepKeyFile, caStepTlsRoots, caIssuers } = settings;
  const tlsRoots = (await certificatesIn('CA_STEP_TLS_ROOTS', caStepTlsRoots)).map(({ pem }) => pem).join('');
  return new StepCertificateAuthority({
    url,
    provisioner: { name, ...(await provisionerKey(caStepKeyFile ?? '')) },
    tlsRoots: tlsRoots || undefined,
    issuers: await certificatesIn('CA_ISSUERS', caIssuers),
    ...parts,
  });
};

const provisionerKey = async (path: string) => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new InvalidSettings(['CA_STEP_KEY_FILE must be the path of a readable file.'], { cause });
  });
  try {
    return readProvisionerKey(text);
  } catch (cause) {
    if (cause instanceof BadProvisionerKey) throw new InvalidSettings([`CA_STEP_KEY_FILE ${cause.message}.`], { cause });
    throw cause;
  }
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
