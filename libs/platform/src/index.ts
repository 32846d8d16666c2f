export type { Platform, PlatformKeys } from './platform.js';
