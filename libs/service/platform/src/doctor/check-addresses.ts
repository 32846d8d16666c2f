import { createServer } from 'node:net';

import type { PlatformSettings } from '#service/config';
import { type Clock, TimedOut, within } from '#kernel';

import { ask, type Asked, FORGED, TIME_LIMIT } from './ask-address.js';
import { lifetimeProblem } from './check-certificates.js';
import { clockProblem } from './check-clock.js';
import { type DoctorFinding, findingsOf } from './finding.js';

/**
 * Checks the addresses that browsers and phones use: the name resolves, the certificate is trusted and does not expire soon, and the server's clock
 * agrees with ours. Accepts every answer, because the service may not run yet.
 */
export const checkAddresses = async (settings: PlatformSettings, clock: Clock, ca?: string): Promise<readonly DoctorFinding[]> => {
  const addresses = { BASE_URL: settings.baseUrl, LOGIN_URL: settings.loginUrl, APP_URL: settings.appUrl, PORTAL_URL: settings.portalUrl };
  const findings: DoctorFinding[] = [];
  for (const [setting, url] of Object.entries(addresses)) {
    const asked = await within(TIME_LIMIT, ask(url, { ca, headers: FORGED })).catch((error: unknown) => explain(error));
    const problems = typeof asked === 'string' ? [asked] : problemsOf(asked, clock);
    findings.push(
      ...findingsOf(
        setting,
        problems.map((problem) => `${setting}: ${problem}`),
      ),
    );
  }
  return findings;
};

/** Whether the service can listen on the ports of its settings. While it runs, it does. */
export const checkPorts = async ({ host, port, opsPort }: PlatformSettings, isRunning: boolean): Promise<readonly DoctorFinding[]> => {
  const findings: DoctorFinding[] = [];
  for (const [setting, number] of Object.entries({ PORT: port, OPS_PORT: opsPort })) {
    if (number === undefined) continue;
    const code = await codeOfListening(host, number);
    if (isRunning && code === 'EADDRINUSE') {
      findings.push({ subject: setting, note: 'the service runs' });
      continue;
    }
    findings.push(...findingsOf(setting, code === undefined ? [] : [listenProblem(setting, code, host, number)]));
  }
  return findings;
};

const problemsOf = ({ date, lifetime }: Asked, clock: Clock): readonly string[] =>
  [lifetime && lifetimeProblem(lifetime.from, lifetime.until, clock.now()), date === undefined ? undefined : clockProblem(date, clock.now())].filter(
    (problem) => problem !== undefined,
  );

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name has no address. Add it to the DNS.',
  EAI_AGAIN: 'the DNS does not answer. Check the name servers of this machine.',
  ECONNREFUSED: 'no server listens there. Start the proxy that ends TLS.',
  ETIMEDOUT: 'the server does not answer. Check the proxy and the firewall.',
  CERT_HAS_EXPIRED: 'the certificate has expired. Renew it.',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet. Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name. Give the proxy a certificate for this one.',
  EPROTO: 'the server does not speak TLS there. Correct the configuration of the proxy.',
};

const explain = (error: unknown): string => {
  const code = error instanceof TimedOut ? 'ETIMEDOUT' : String((error as { code?: unknown }).code);
  return (
    EXPLANATIONS[code] ??
    (/CERT|SIGNATURE|ISSUER/.test(code)
      ? 'the certificate is not of a CA that this machine trusts. Give the proxy the whole chain, or start with NODE_EXTRA_CA_CERTS=<the file of your CA>.'
      : `the server cannot be reached (${code}). Check the address and the proxy.`)
  );
};

const codeOfListening = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

const listenProblem = (setting: string, code: string, host: string, port: number): string => {
  if (code === 'EADDRINUSE') return `${setting}: another process listens on port ${port}. Stop it, or set ${setting} to a free one.`;
  if (code === 'EACCES') return `${setting}: this user may not listen on port ${port}. Set ${setting} to a port above 1023.`;
  return `HOST: this machine cannot listen on ${host} (${code}). Set HOST to one of its addresses.`;
};
