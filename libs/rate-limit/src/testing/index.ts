export { redisReplicas } from './redis-replicas.js';
export { someAddress } from './some-address.js';
