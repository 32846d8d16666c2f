import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { PlatformSettings } from '#service/config';
import type { Clock } from '#kernel';

import { type DoctorFinding, findingsOf } from './finding.js';

const DAY = 86_400_000;

/** A certificate that ends sooner is reported. */
const WARN_BEFORE = 14 * DAY;

/** Why a certificate that is valid from `from` to `until`, in epoch milliseconds, is of no use, or soon will be. */
export const lifetimeProblem = (from: number, until: number, now: number): string | undefined => {
  const end = new Date(until).toISOString();
  if (now >= until) return `the certificate has expired (${end}). Renew it.`;
  if (now < from) return `the certificate is not valid before ${new Date(from).toISOString()}. Check the clock of this machine, or wait.`;
  return until - now < WARN_BEFORE ? `the certificate expires on ${end}. Renew it.` : undefined;
};

/** The settings that name files of certificates. */
export const CERTIFICATE_FILES = [
  ...['ESDB_CA_FILE', 'ESDB_CERT_FILE', 'KAFKA_CA_FILE', 'KAFKA_CERT_FILE', 'REDIS_CA_FILE', 'POSTGRES_CA_FILE', 'ANCHOR_CA_FILE'],
  ...['TRUST_ANCHORS', 'TSA_ISSUERS', 'CA_ISSUERS', 'CA_CMP_SIGNERS', 'CA_STEP_TLS_ROOTS'],
] as const;

/** The certificates in the files that settings name: each file is PEM, and no certificate has expired or soon will. */
export const checkCertificateFiles = async (settings: PlatformSettings, clock: Clock): Promise<readonly DoctorFinding[]> => {
  const files: Readonly<Record<(typeof CERTIFICATE_FILES)[number], string | undefined>> = {
    ESDB_CA_FILE: settings.esdbCaFile,
    ESDB_CERT_FILE: settings.esdbCertFile,
    KAFKA_CA_FILE: settings.kafkaCaFile,
    KAFKA_CERT_FILE: settings.kafkaCertFile,
    REDIS_CA_FILE: settings.redisCaFile,
    POSTGRES_CA_FILE: settings.postgresCaFile,
    ANCHOR_CA_FILE: settings.anchorCaFile,
    TRUST_ANCHORS: settings.trustAnchors,
    TSA_ISSUERS: settings.tsaIssuers,
    CA_ISSUERS: settings.caIssuers,
    CA_CMP_SIGNERS: settings.caCmpSigners,
    CA_STEP_TLS_ROOTS: settings.caStepTlsRoots,
  };
  const findings: DoctorFinding[] = [];
  for (const [setting, path] of Object.entries(files)) {
    if (path !== undefined) findings.push(...findingsOf(setting, await problemsIn(setting, path, clock)));
  }
  return findings;
};

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const problemsIn = async (setting: string, path: string, clock: Clock): Promise<readonly string[]> => {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return [`${setting} names a file that this user cannot read. Correct the path, or the rights of the file.`];
  const blocks = content.match(BLOCK) ?? [];
  if (blocks.length === 0) return [`${setting} names a file without a certificate. Put PEM certificates there.`];
  const problems = blocks.map((pem) => {
    try {
      const { validFromDate, validToDate } = new X509Certificate(pem);
      return lifetimeProblem(validFromDate.getTime(), validToDate.getTime(), clock.now());
    } catch {
      return 'a certificate cannot be read. Replace the file.';
    }
  });
  return [...new Set(problems.filter((problem) => problem !== undefined))].map((problem) => `${setting}: ${problem}`);
};
