export { Log, type LogFields, SilentLog } from './log.js';
export { Metrics } from './metrics.js';
export { type LogLevel, PinoLog } from './pino-log.js';
