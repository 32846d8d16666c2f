export { MovableClock } from './movable-clock.js';
export { openPlatform, type RunningPlatform } from './open-platform.js';
export type { Platform, PlatformKeys } from './platform.js';
