import { readFile } from 'node:fs/promises';

import { InvalidSettings } from '#service/config';
import { Certificate } from '#signatures/pki';

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** The certificates in a text of PEM blocks. Throws MalformedDer. */
export const certificatesOf = (pem: string): readonly Certificate[] =>
  [...pem.matchAll(PEM)].map(([, body = '']) => Certificate.parse(Buffer.from(body, 'base64')));

/** The certificates of the PEM bundle that a setting names; none without a path. Throws {@link InvalidSettings}. */
export const certificatesIn = async (setting: string, path: string | undefined): Promise<readonly Certificate[]> => {
  if (path === undefined) return [];
  try {
    const found = certificatesOf(await readFile(path, 'utf8'));
    if (found.length > 0) return found;
  } catch {
    // missing, unreadable, or not a certificate
  }
  throw new InvalidSettings([`${setting} must be the path of a readable file of PEM certificates.`]);
};
