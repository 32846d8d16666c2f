export { deciderSpec } from './decider-spec.js';
export { eventually } from './eventually.js';
export { killAfterLines, TYPESCRIPT_ARGUMENTS } from './typescript-process.js';
