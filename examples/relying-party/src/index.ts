export { buildDemo } from './build-demo.js';
export type { DemoOptions } from './demo-options.js';
export { startDemo } from './start-demo.js';
