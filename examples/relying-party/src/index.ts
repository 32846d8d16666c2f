export { buildDemo } from './build-demo.js';
export type { DemoLog, DemoOptions, ServiceAddresses } from './demo-options.js';
export { type ListeningDemoOptions, startDemo } from './start-demo.js';
