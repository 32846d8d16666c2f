export { Log, type LogFields, SilentLog } from './log.js';
export { Metrics } from './metrics.js';
export { PinoLog } from './pino-log.js';
