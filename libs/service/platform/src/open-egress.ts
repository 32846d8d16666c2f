import { type EgressSettings, InvalidSettings } from '#service/config';
import { MountedFile, UnreadableFile } from '#engines/access';
import { EgressProxy } from '#engines/egress';
import type { Log } from '#telemetry';

const COMPONENT = 'egress-proxy';

/** The proxy of the settings `EGRESS_…`; undefined without one. Throws InvalidSettings. */
export const openEgress = (settings: EgressSettings, log: Pick<Log, 'error' | 'info'>): EgressProxy | undefined => {
  const { egressProxy: proxy, egressProxyLoginFile, egressProxyCaFile, egressProxyResolves: resolves, egressDirect: direct } = settings;
  if (proxy === undefined) return undefined;
  const login = fileOf('EGRESS_PROXY_LOGIN_FILE', egressProxyLoginFile);
  if (login && !/^[^:\s]+:\S/.test(login())) throw new InvalidSettings(['EGRESS_PROXY_LOGIN_FILE must hold user:password.']);
  const observe = (reason: string | undefined): void => {
    if (reason === undefined) log.info('the egress proxy works again', { component: COMPONENT });
    else log.error('no calls to the internet', { component: COMPONENT, reason });
  };
  return new EgressProxy({ proxy, login, ca: fileOf('EGRESS_PROXY_CA_FILE', egressProxyCaFile), resolves, direct, observe });
};

/** Reads the file now, for the start, and again at each call. */
const fileOf = (setting: string, path: string | undefined): (() => string) | undefined => {
  if (path === undefined) return undefined;
  const file = new MountedFile(setting, path);
  try {
    file.read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new InvalidSettings([`${error.message}.`], { cause: error });
    throw error;
  }
  return () => file.read();
};

/** Milliseconds until a connection to a trust service is open. */
const CONNECT_TIMEOUT = 5_000;

/** For the clients of trust services; undefined without a proxy. */
export const trustServiceAgents = (egress: EgressProxy | undefined) => egress?.agents({ timeout: CONNECT_TIMEOUT });
