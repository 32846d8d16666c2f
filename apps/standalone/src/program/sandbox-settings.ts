import { IN_MEMORY, loadPlatformSettings, type PlatformSettings } from '#service/config';

/**
 * The settings of a sandbox beside tests. Of the environment it takes nothing that is not for the sandbox: there stand the settings of the application under test, whose `PORT` or
 * `REDIS_URL` concern it alone.
 */
export const sandboxSettings = (port: number): PlatformSettings =>
  loadPlatformSettings({
    ENVIRONMENT: 'test',
    DATA_DIR: IN_MEMORY,
    PORT: String(port),
    DEMO: 'false',
    LOG_LEVEL: 'warn',
  });
