export { CapturedLog } from './captured-log.js';
export { TestCa } from './test-ca.js';
