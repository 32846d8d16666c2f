import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Certificate, MalformedDer, TrustStore } from '#signatures/pki';

import { UsageFailure } from './failures.js';
import { readSettings } from './settings.js';

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** The roots in these files; without files, the development root that a service on this machine has made. Throws a UsageFailure. */
export const readTrustStore = async (paths: readonly string[] | undefined): Promise<TrustStore> => {
  if (paths) return new TrustStore((await Promise.all(paths.map(certificatesIn))).flat());
  const path = join(readSettings().keyDirectory, 'pki', 'root.pem');
  try {
    return new TrustStore(await certificatesIn(path));
  } catch (cause) {
    throw new UsageFailure(`no root certificate is trusted. Name one: --trust root.pem (looked for a development root at ${path})`, { cause });
  }
};

/** The certificates in a file, PEM or DER. Throws a UsageFailure. */
export const certificatesIn = async (path: string): Promise<readonly Certificate[]> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UsageFailure(`${path}: cannot be read`, { cause });
  });
  const blocks = [...bytes.toString('latin1').matchAll(PEM_BLOCK)].map(([, base64 = '']) => Buffer.from(base64, 'base64'));
  try {
    return (blocks.length > 0 ? blocks : [bytes]).map((der) => Certificate.parse(der));
  } catch (cause) {
    if (cause instanceof MalformedDer) throw new UsageFailure(`${path}: holds no certificate`, { cause });
    throw cause;
  }
};
