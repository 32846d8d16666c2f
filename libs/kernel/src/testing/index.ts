export { deciderSpec } from './decider-spec.js';
