import type { PlatformSettings, TrustServiceSettings } from '#service/config';
import type { CertificateStatus } from '#domain/identity';
import type { Clock, Randomness } from '#kernel';
import {
  Certificate,
  type CertificateAuthority,
  DevelopmentCertificateAuthority,
  type DevelopmentPki,
  DevelopmentRevocationSource,
  DevelopmentTimestampAuthority,
  type Egress,
  HttpRevocationSource,
  HttpTimestampAuthority,
  type RevocationSource,
  RevocationSourceByIssuer,
  type TimestampAuthority,
  TrustStore,
} from '#signatures/pki';

import { certificatesIn } from './certificate-files.js';
import { clientCredentials } from './client-credentials.js';
import { InterruptibleTimestampAuthority } from './interruptible-timestamp-authority.js';
import { openCertificateAuthority } from './open-certificate-authority.js';

/** The services that issue certificates and time-stamps and answer about revocations. */
export interface TrustServices {
  readonly certificateAuthority: CertificateAuthority;
  readonly timestampAuthority: TimestampAuthority;
  readonly revocationSource: RevocationSource;
  /** The roots that a finished container must lead to. */
  readonly trustStore: TrustStore;
  /** Absent in a guarded environment. */
  readonly developmentPki: DevelopmentPki | undefined;
  /** Below the time-stamping authority, in the sandbox alone. */
  readonly interruptible: InterruptibleTimestampAuthority | undefined;
}

export interface TrustServicesDependencies {
  readonly settings: TrustServiceSettings & Pick<PlatformSettings, 'sandbox'>;
  /** Absent in a guarded environment. */
  readonly pki: DevelopmentPki | undefined;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The status of the certificate with that serial number in the register. */
  readonly certificateStatus: (serial: string) => Promise<CertificateStatus>;
  /** The way to external services. Absent: direct connections. */
  readonly egress?: Egress | undefined;
}

/**
 * The trust services. An external one that the settings name replaces its counterpart in the development trust service. Undefined in a guarded
 * environment without a certificate authority: the service signs nothing there. Throws InvalidSettings.
 */
export const trustServices = async (dependencies: TrustServicesDependencies): Promise<TrustServices | undefined> => {
  const { settings, pki, clock, randomness, egress } = dependencies;
  const anchors = [...(pki ? [Certificate.parse(pki.root.certificate)] : []), ...(await certificatesIn('TRUST_ANCHORS', settings.trustAnchors))];
  const trust = new TrustStore(anchors);
  const parts = { trust, clock, randomness, egress };
  const certificateAuthority =
    (await openCertificateAuthority(settings, parts)) ?? (pki && new DevelopmentCertificateAuthority(pki, clock, randomness));
  const timestampAuthority = await openTimestampAuthority(settings, { ...parts, pki });
  if (!certificateAuthority || !timestampAuthority) return undefined;
  const interruptible = settings.sandbox ? new InterruptibleTimestampAuthority(timestampAuthority) : undefined;
  return {
    certificateAuthority,
    timestampAuthority: interruptible ?? timestampAuthority,
    interruptible,
    revocationSource: await revocationSource(dependencies),
    trustStore: trust,
    developmentPki: pki,
  };
};

/** The authorities of this service answer for the certificates that they issued, external ones for all others. */
const revocationSource = async ({
  settings,
  pki,
  clock,
  randomness,
  certificateStatus,
  egress,
}: TrustServicesDependencies): Promise<RevocationSource> => {
  const http = await revocationSourceOver(settings, { clock, randomness, egress });
  if (!pki) return http;
  return new RevocationSourceByIssuer({
    own: {
      issuers: [pki.root, pki.issuing].map(({ certificate }) => Certificate.parse(certificate)),
      source: new DevelopmentRevocationSource(pki, certificateStatus, clock, randomness),
    },
    foreign: http,
    ...(settings.ocspUrl && { signers: http }),
  });
};

interface ClientParts {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly egress: Egress | undefined;
}

/** The authorities at `TSA_URLS`, or that of the development trust service. Undefined where there is neither. Throws {@link InvalidSettings}. */
export const openTimestampAuthority = async (
  settings: TrustServiceSettings,
  { pki, ...parts }: ClientParts & { readonly trust: TrustStore; readonly pki: DevelopmentPki | undefined },
): Promise<TimestampAuthority | undefined> => {
  if (settings.tsaUrls) return timestampAuthorityOver(settings.tsaUrls, settings, parts);
  return pki && new DevelopmentTimestampAuthority(pki, parts.clock, parts.randomness);
};

/** The authorities at these addresses, by the settings `TSA_…`. Throws {@link InvalidSettings}. */
const timestampAuthorityOver = async (
  urls: readonly string[],
  settings: TrustServiceSettings,
  { trust, ...parts }: ClientParts & { readonly trust: TrustStore },
): Promise<TimestampAuthority> => {
  const credentials = await tsaCredentials(settings);
  return new HttpTimestampAuthority({
    servers: urls.map((url) => ({ url, policy: settings.tsaPolicy, credentials })),
    trust,
    issuers: await certificatesIn('TSA_ISSUERS', settings.tsaIssuers),
    ...parts,
  });
};

/** The responders and lists of external authorities, by the settings `OCSP_…`. Throws {@link InvalidSettings}. */
const revocationSourceOver = async (settings: TrustServiceSettings, parts: ClientParts): Promise<RevocationSource> => {
  const { ocspUrl, ocspNonce: nonce } = settings;
  return new HttpRevocationSource({ ...(ocspUrl && { ocspUrl }), credentials: await ocspCredentials(settings), nonce, ...parts });
};

/** For the authorities at `TSA_URLS`; undefined without files. Throws {@link InvalidSettings}. */
export const tsaCredentials = ({ tsaLoginFile: loginFile, tsaKeyStore: keyStore, tsaKeyStorePasswordFile: passwordFile }: TrustServiceSettings) =>
  clientCredentials({ prefix: 'TSA', loginFile, keyStore, passwordFile });

/** For the responder at `OCSP_URL`; undefined without files. Throws {@link InvalidSettings}. */
export const ocspCredentials = ({ ocspLoginFile: loginFile, ocspKeyStore: keyStore, ocspKeyStorePasswordFile: passwordFile }: TrustServiceSettings) =>
  clientCredentials({ prefix: 'OCSP', loginFile, keyStore, passwordFile });
