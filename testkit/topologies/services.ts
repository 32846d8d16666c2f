export type ServiceName =
  'session-api' | 'login-bff' | 'openid' | 'device-api' | 'registry' | 'console' | 'signing' | 'webhook-dispatcher' | 'timers' | 'event-relay';

export interface ServiceOfTopology {
  readonly name: ServiceName;
  readonly replicas: number;
  /** The variable of the gateway's template that lists the replicas, for services that the gateway leads to. */
  readonly upstream?: string;
  /** Whether a topology runs it only with the option `portal`: most tests do not need its processes. */
  readonly ofPortal?: true;
  /** The same with the option `openid`. */
  readonly ofOpenId?: true;
}

/** The services of the distributed profile and how many replicas of each run here. The compose file has the same ones (a test compares them). */
export const services: readonly ServiceOfTopology[] = [
  { name: 'session-api', replicas: 2, upstream: 'SESSION_API' },
  { name: 'login-bff', replicas: 2, upstream: 'LOGIN_BFF' },
  { name: 'openid', replicas: 2, upstream: 'OPENID', ofOpenId: true },
  { name: 'device-api', replicas: 2, upstream: 'DEVICE_API' },
  { name: 'registry', replicas: 2, upstream: 'REGISTRY' },
  { name: 'console', replicas: 2, upstream: 'CONSOLE', ofPortal: true },
  { name: 'signing', replicas: 2, upstream: 'SIGNING' },
  { name: 'webhook-dispatcher', replicas: 2 },
  { name: 'timers', replicas: 2 },
  { name: 'event-relay', replicas: 2 },
];
