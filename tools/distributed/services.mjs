/**
 * The services of the distributed profile: how many replicas of each run here, and the name of the gateway's upstream for those
 * that it leads to. The compose file has the same ones (a test compares them).
 */
export const services = [
  { name: 'session-api', replicas: 2, upstream: 'SESSION_API' },
  { name: 'login-bff', replicas: 2, upstream: 'LOGIN_BFF' },
  { name: 'device-api', replicas: 2, upstream: 'DEVICE_API' },
  { name: 'registry', replicas: 2, upstream: 'REGISTRY' },
  { name: 'signing', replicas: 2, upstream: 'SIGNING' },
  { name: 'webhook-dispatcher', replicas: 2 },
  { name: 'event-relay', replicas: 2 },
];
