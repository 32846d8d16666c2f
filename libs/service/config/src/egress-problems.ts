import type { EgressSettings } from './egress-settings.js';

/** Settings of the egress proxy that do not go together. */
export const egressProblems = (settings: Partial<EgressSettings>): readonly string[] => {
  const { egressProxy, egressProxyLoginFile, egressProxyCaFile, egressProxyResolves } = settings;
  const without = Object.entries({ EGRESS_PROXY_LOGIN_FILE: egressProxyLoginFile, EGRESS_PROXY_CA_FILE: egressProxyCaFile })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (egressProxy === undefined)
    return [...without, ...(egressProxyResolves === true ? ['EGRESS_PROXY_RESOLVES'] : [])].map((name) => `${name} needs EGRESS_PROXY.`);
  return egressProxyCaFile !== undefined && !egressProxy.startsWith('https:')
    ? ['EGRESS_PROXY_CA_FILE needs an EGRESS_PROXY that begins with https://.']
    : [];
};
