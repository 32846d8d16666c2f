import { readFile } from 'node:fs/promises';

import { InvalidSettings, type PlatformSettings, type TrustServiceSettings } from '#config';
import type { CertificateStatus } from '#identity';
import type { Clock, Randomness } from '#kernel';
import {
  Certificate,
  type CertificateAuthority,
  DevelopmentCertificateAuthority,
  type DevelopmentPki,
  DevelopmentRevocationSource,
  DevelopmentTimestampAuthority,
  HttpRevocationSource,
  HttpTimestampAuthority,
  type RevocationSource,
  RevocationSourceByIssuer,
  type TimestampAuthority,
  TrustStore,
} from '#pki';

import { clientCredentials } from './client-credentials.js';
import { InterruptibleTimestampAuthority } from './interruptible-timestamp-authority.js';

/** The services that issue certificates and time-stamps and answer about revocations. */
export interface TrustServices {
  readonly certificateAuthority: CertificateAuthority;
  readonly timestampAuthority: TimestampAuthority;
  readonly revocationSource: RevocationSource;
  /** The roots that a finished container must lead to. */
  readonly trustStore: TrustStore;
  readonly developmentPki: DevelopmentPki;
}

export interface TrustServicesDependencies {
  readonly settings: TrustServiceSettings & Pick<PlatformSettings, 'sandbox'>;
  readonly pki: DevelopmentPki;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The status of the certificate with that serial number in the register. */
  readonly certificateStatus: (serial: string) => Promise<CertificateStatus>;
}

/** The development trust service. Each external service that a setting names replaces its counterpart. */
export const trustServices = async ({ settings, pki, clock, randomness, certificateStatus }: TrustServicesDependencies): Promise<TrustServices> => {
  const anchors = [Certificate.parse(pki.root.certificate), ...(await certificatesIn('TRUST_ANCHORS', settings.trustAnchors))];
  const trustStore = new TrustStore(anchors);
  const { tsaUrls, tsaPolicy: policy, ocspUrl, ocspNonce: nonce } = settings;
  const [tsa, ocsp] = await Promise.all([tsaCredentials(settings), ocspCredentials(settings)]);
  const timestampAuthority = tsaUrls
    ? new HttpTimestampAuthority({
        servers: tsaUrls.map((url) => ({ url, policy, credentials: tsa })),
        trust: trustStore,
        issuers: await certificatesIn('TSA_ISSUERS', settings.tsaIssuers),
        clock,
        randomness,
      })
    : new DevelopmentTimestampAuthority(pki, clock, randomness);
  const http = new HttpRevocationSource({ ...(ocspUrl && { ocspUrl }), credentials: ocsp, nonce, clock, randomness });
  return {
    certificateAuthority: new DevelopmentCertificateAuthority(pki, clock, randomness),
    timestampAuthority: settings.sandbox ? new InterruptibleTimestampAuthority(timestampAuthority) : timestampAuthority,
    revocationSource: new RevocationSourceByIssuer({
      own: {
        issuers: [pki.root, pki.issuing].map(({ certificate }) => Certificate.parse(certificate)),
        source: new DevelopmentRevocationSource(pki, certificateStatus, clock, randomness),
      },
      foreign: http,
      ...(ocspUrl && { signers: http }),
    }),
    trustStore,
    developmentPki: pki,
  };
};

const tsaCredentials = ({ tsaLoginFile: loginFile, tsaKeyStore: keyStore, tsaKeyStorePasswordFile: passwordFile }: TrustServiceSettings) =>
  clientCredentials({ prefix: 'TSA', loginFile, keyStore, passwordFile });

const ocspCredentials = ({ ocspLoginFile: loginFile, ocspKeyStore: keyStore, ocspKeyStorePasswordFile: passwordFile }: TrustServiceSettings) =>
  clientCredentials({ prefix: 'OCSP', loginFile, keyStore, passwordFile });

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** The certificates of the PEM bundle that a setting names; none without a path. Throws {@link InvalidSettings}. */
const certificatesIn = async (setting: string, path: string | undefined): Promise<readonly Certificate[]> => {
  if (path === undefined) return [];
  try {
    const found = [...(await readFile(path, 'utf8')).matchAll(PEM)].map(([, body = '']) => Certificate.parse(Buffer.from(body, 'base64')));
    if (found.length > 0) return found;
  } catch {
    // missing, unreadable, or not a certificate
  }
  throw new InvalidSettings([`${setting} must be the path of a readable file of PEM certificates.`]);
};
