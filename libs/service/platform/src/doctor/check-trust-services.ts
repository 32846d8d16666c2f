import { InvalidSettings, isGuarded, type PlatformSettings } from '#service/config';
import { EgressProxyFailed } from '#engines/egress';
import { type Clock, SystemRandomness, TimedOut, within } from '#kernel';
import { type ClientCredentials, TrustStore } from '#signatures/pki';
import { SilentLog } from '#telemetry';

import { certificatesIn, certificatesOf } from '../certificate-files.js';
import { clientCredentials } from '../client-credentials.js';
import { openCertificateAuthority } from '../open-certificate-authority.js';
import { openEgress, trustServiceAgents } from '../open-egress.js';
import { openVapidKeys } from '../open-vapid-keys.js';
import { ocspCredentials, tsaCredentials } from '../trust-services.js';
import { ask, TIME_LIMIT } from './ask-address.js';
import { CERTIFICATE_FILES, lifetimeProblem } from './check-certificates.js';
import { clockProblem } from './check-clock.js';
import { type DoctorFinding, findingsOf } from './finding.js';

/**
 * The credentials for certificate authority, time-stamps and revocations, and the key for pushes, can be opened and have not expired; the addresses of the
 * trust services answer, and their clocks agree with ours. Accepts every answer: requests for certificates and time-stamps are left to the service.
 */
export const checkTrustServices = async (settings: PlatformSettings, clock: Clock): Promise<readonly DoctorFinding[]> => {
  const files = await Promise.all([
    problemsOf(() => authority(settings, clock)),
    problemsOf(async () => lifetimes('TSA_KEY_STORE', await tsaCredentials(settings), clock)),
    problemsOf(async () => lifetimes('OCSP_KEY_STORE', await ocspCredentials(settings), clock)),
    problemsOf(async () => void openEgress(settings, new SilentLog())),
    // In development and test the first start makes the file.
    problemsOf(async () => void (isGuarded(settings.environment) && (await openVapidKeys(settings, new SystemRandomness())))),
  ]);
  const credentials = files.flat();
  const named = [settings.caCmpUrl, settings.caStepUrl, settings.tsaUrls, settings.ocspUrl, settings.vapidKeys || undefined, settings.egressProxy];
  return [
    ...(named.some((value) => value !== undefined) ? findingsOf('credentials of the trust services', credentials) : []),
    // Without its credentials no address can be asked.
    ...(credentials.length > 0 ? [] : await checkAnswers(settings, clock)),
  ];
};

/** The problems that the work answers, or those of the settings that it throws. Files of certificates have a check of their own. */
const problemsOf = async (work: () => Promise<readonly string[] | void>): Promise<readonly string[]> => {
  try {
    return (await work()) ?? [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.problems.filter((problem) => !CERTIFICATE_FILES.some((setting) => problem.startsWith(`${setting} `)));
  }
};

const authority = async (settings: PlatformSettings, clock: Clock): Promise<readonly string[]> => {
  await openCertificateAuthority(settings, { trust: new TrustStore([]), clock, randomness: new SystemRandomness() });
  if (settings.caCmpKeyStore === undefined) return [];
  const { caCmpKeyStore: keyStore, caCmpKeyStorePasswordFile: passwordFile } = settings;
  return lifetimes('CA_CMP_KEY_STORE', await clientCredentials({ prefix: 'CA_CMP', keyStore, passwordFile }), clock);
};

/** Of the client's own certificate. */
const lifetimes = (setting: string, credentials: ClientCredentials | undefined, clock: Clock): readonly string[] => {
  const [own] = certificatesOf(credentials?.certificate ?? '');
  const problem = own && lifetimeProblem(own.notBefore, own.notAfter, clock.now());
  return problem === undefined ? [] : [`${setting}: ${problem}`];
};

interface Address {
  readonly setting: string;
  readonly url: string;
  readonly options?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

const checkAnswers = async (settings: PlatformSettings, clock: Clock): Promise<readonly DoctorFinding[]> => {
  const agents = trustServiceAgents(openEgress(settings, new SilentLog()));
  const findings = (await addressesOf(settings)).map(async ({ setting, url, options }): Promise<readonly DoctorFinding[]> => {
    const agent = agents?.[url.startsWith('https:') ? 'https:' : 'http:'];
    const asked = await within(TIME_LIMIT, ask(url, { ...options, agent })).catch((error: unknown) => explain(error));
    const problem = typeof asked === 'string' ? asked : asked.date === undefined ? undefined : clockProblem(asked.date, clock.now());
    return findingsOf(`${setting} ${new URL(url).host}`, problem === undefined ? [] : [`${setting}: ${new URL(url).host}: ${problem}`]);
  });
  return (await Promise.all(findings)).flat();
};

const addressesOf = async (settings: PlatformSettings): Promise<readonly Address[]> => {
  const { caCmpUrl, caStepUrl, caStepTlsRoots, tsaUrls = [], ocspUrl } = settings;
  const [tsa, ocsp] = [await tsaCredentials(settings), await ocspCredentials(settings)];
  const roots = (await certificatesIn('CA_STEP_TLS_ROOTS', caStepTlsRoots).catch(() => [])).map(({ pem }) => pem).join('');
  return [
    ...(caCmpUrl === undefined ? [] : [{ setting: 'CA_CMP_URL', url: caCmpUrl }]),
    ...(caStepUrl === undefined ? [] : [{ setting: 'CA_STEP_URL', url: caStepUrl, options: roots === '' ? {} : { ca: roots } }]),
    ...tsaUrls.map((url) => ({ setting: 'TSA_URLS', url, options: clientCertificate(tsa) })),
    ...(ocspUrl === undefined ? [] : [{ setting: 'OCSP_URL', url: ocspUrl, options: clientCertificate(ocsp) }]),
  ];
};

const clientCertificate = ({ certificate: cert, privateKey: key }: ClientCredentials = {}) => (cert && key ? { cert, key } : {});

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name has no address. Correct it.',
  EAI_AGAIN: 'the DNS does not answer. Check the name servers of this machine.',
  ECONNREFUSED: 'no server listens there. Correct the address, or ask its operator.',
  ETIMEDOUT: 'the server does not answer. Check the address and the firewall.',
  CERT_HAS_EXPIRED: "the server's certificate has expired. Ask its operator.",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name. Correct the address.",
  EPROTO: 'the server does not speak TLS there, or refuses our client certificate. Correct the address, or the key store.',
};

const explain = (error: unknown): string => {
  if (error instanceof EgressProxyFailed) return `${error.message}.`;
  const code = error instanceof TimedOut ? 'ETIMEDOUT' : String((error as { code?: unknown }).code);
  return (
    EXPLANATIONS[code] ??
    (/CERT|SIGNATURE|ISSUER/.test(code)
      ? "the server's certificate is not of a CA that this machine trusts. Start with NODE_EXTRA_CA_CERTS=<the file of its CA>; for CA_STEP_URL set CA_STEP_TLS_ROOTS."
      : `the server cannot be reached (${code}). Check the address.`)
  );
};
