import { loadPlatformSettings, type PlatformSettings } from '#service/config';

/** The settings of the environment. Throws {@link InvalidSettings}, which names each wrong one. */
export const readSettings = (): PlatformSettings => loadPlatformSettings(process.env);
