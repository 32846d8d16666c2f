import type { PlatformSettings } from './platform-settings.js';

/** The settings of a start as far as they could be read. */
export type ReadSettings = Partial<PlatformSettings>;
