export { type DeadLetters, openDeadLetters } from './dead-letters.js';
export { MovableClock } from './movable-clock.js';
export { kafkaSettings } from './kafka-settings.js';
export { openPlatform } from './open-platform.js';
export { InterruptibleTimestampAuthority } from './interruptible-timestamp-authority.js';
export type { Platform } from './platform.js';
export { runApplication, runProcess } from './run-process.js';
export { type Application, pathOf, serveApplications } from './serve-applications.js';
export { readSettings } from './settings.js';
