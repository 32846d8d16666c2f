export type { Observe } from './duration-histogram.js';
export { EngineCalls } from './engine-calls.js';
export { incrementer } from './incrementer.js';
export { Log, type LogFields, SilentLog } from './log.js';
export { Metrics } from './metrics.js';
export { otlpLogs } from './otlp-logs.js';
export { startTracing } from './tracing.js';
export { PinoLog } from './pino-log.js';
export { type LogOutput, StandardOutput } from './standard-output.js';
