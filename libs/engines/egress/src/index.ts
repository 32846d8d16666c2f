export { EgressProxyFailed } from './egress-errors.js';
export { EgressProxy, type EgressAgents } from './egress-proxy.js';
