import { readFile } from 'node:fs/promises';

import { egressProblems, EgressSettings, InvalidSettings, loadSettings, type TrustServiceSettings, trustServiceProblems } from '#service/config';
import { type EgressAgents, EgressProxy } from '#engines/egress';
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
  const settings = loadSettings(EgressSettings, environment);
  const problems = [...trustServiceProblems(settings), ...egressProblems(settings)];
  if (problems.length > 0) throw new InvalidSettings(problems);
  const { tsaUrls = [developmentUrl], tsaPolicy: policy, tsaIssuers, ocspNonce: nonce } = settings;
  const credentials = await credentialsIn(settings);
  const issuers = tsaIssuers === undefined ? [] : await certificatesIn(tsaIssuers);
  const randomness = new SystemRandomness();
  const servers = tsaUrls.map((url) => ({ url, policy, credentials }));
  const egress = await egressOf(settings);
  return {
    timestampAuthority: new HttpTimestampAuthority({ servers, trust, issuers, clock, randomness, egress }),
    revocationSource: new HttpRevocationSource({ nonce, clock, randomness, egress }),
  };
};

/** Milliseconds until a connection is open. */
const CONNECT_TIMEOUT = 5_000;

/** The way by the proxy of the settings `EGRESS_…`; undefined without one. */
const egressOf = async (settings: EgressSettings): Promise<EgressAgents | undefined> => {
  const { egressProxy: proxy, egressProxyLoginFile, egressProxyCaFile, egressProxyResolves: resolves, egressDirect: direct } = settings;
  if (proxy === undefined) return undefined;
  const [login, ca] = [await textIn(egressProxyLoginFile), await textIn(egressProxyCaFile)];
  const files = { ...(login !== undefined && { login: () => login }), ...(ca !== undefined && { ca: () => ca }) };
  return new EgressProxy({ proxy, resolves, direct, ...files }).agents({ timeout: CONNECT_TIMEOUT });
};

const textIn = async (path: string | undefined): Promise<string | undefined> =>
  path === undefined ? undefined : (await read(path)).toString().trim();

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
