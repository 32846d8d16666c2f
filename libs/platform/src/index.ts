export { MovableClock } from './movable-clock.js';
export { openPlatform, type RunningPlatform } from './open-platform.js';
export { InterruptibleTimestampAuthority } from './interruptible-timestamp-authority.js';
export type { Platform, PlatformKeys } from './platform.js';
