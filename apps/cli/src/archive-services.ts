import { readFile } from 'node:fs/promises';

import { InvalidSettings, loadSettings, TrustServiceSettings, trustServiceProblems } from '#service/config';
import { type Clock, SystemRandomness } from '#kernel';
import { BadKeyStore, type ClientCredentials, HttpRevocationSource, HttpTimestampAuthority, readKeyStore, type TrustStore } from '#signatures/pki';

import { UsageFailure } from './failures.js';
import { certificatesIn } from './trust-anchors.js';

export interface ArchiveServices {
  readonly timestampAuthority: HttpTimestampAuthority;
  readonly revocationSource: HttpRevocationSource;
}

/**
 * The services that make archive time-stamps, by the settings `TSA_…` of the service. `developmentUrl`: the authority when `TSA_URLS` is unset. Throws
 * InvalidSettings and a UsageFailure.
 */
export const openArchiveServices = async (
  environment: NodeJS.ProcessEnv,
  { trust, developmentUrl, clock }: { readonly trust: TrustStore; readonly developmentUrl: string; readonly clock: Clock },
): Promise<ArchiveServices> => {
  const settings = loadSettings(TrustServiceSettings, environment);
  const problems = trustServiceProblems(settings);
  if (problems.length > 0) throw new InvalidSettings(problems);
  const { tsaUrls = [developmentUrl], tsaPolicy: policy, tsaIssuers, ocspNonce: nonce } = settings;
  const credentials = await credentialsIn(settings);
  const issuers = tsaIssuers === undefined ? [] : await certificatesIn(tsaIssuers);
  const randomness = new SystemRandomness();
  const servers = tsaUrls.map((url) => ({ url, policy, credentials }));
  return {
    timestampAuthority: new HttpTimestampAuthority({ servers, trust, issuers, clock, randomness }),
    revocationSource: new HttpRevocationSource({ nonce, clock, randomness }),
  };
};

const credentialsIn = async (settings: TrustServiceSettings): Promise<ClientCredentials> => {
  const { tsaLoginFile, tsaKeyStore, tsaKeyStorePasswordFile: passwordFile } = settings;
  const login = tsaLoginFile === undefined ? undefined : (await read(tsaLoginFile)).toString().trim();
  const password = passwordFile === undefined ? '' : (await read(passwordFile)).toString().replace(/\r?\n$/, '');
  return {
    ...(login !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...(tsaKeyStore !== undefined && opened(await read(tsaKeyStore), password)),
  };
};

const opened = (keyStore: Buffer, password: string): ClientCredentials => {
  try {
    return readKeyStore(keyStore, password);
  } catch (cause) {
    if (cause instanceof BadKeyStore) throw new UsageFailure(`TSA_KEY_STORE: ${cause.message}`, { cause });
    throw cause;
  }
};

const read = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause: unknown) => {
    throw new UsageFailure(`${path}: cannot be read`, { cause });
  });
