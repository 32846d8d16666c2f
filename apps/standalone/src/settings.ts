import { loadPlatformSettings, type PlatformSettings } from '#config';

export const readSettings = (): PlatformSettings => loadPlatformSettings(process.env);
