export { deciderSpec } from './decider-spec.js';
export { eventually } from './eventually.js';
