import { IN_MEMORY, loadPlatformSettings, type PlatformSettings } from '#service/config';

/** The only settings that the sandbox takes from the environment. */
const OWN = ['SANDBOX_ALLOWED_NETWORKS', 'SANDBOX_ALLOWED_HOSTS'] as const;

/**
 * The settings of a sandbox beside tests. Of the environment it takes nothing that is not for the sandbox: there stand the settings of the application under test, whose `PORT` or
 * `REDIS_URL` concern it alone. With `SANDBOX_ALLOWED_NETWORKS` it listens on every address of the machine. Throws {@link InvalidSettings}.
 */
export const sandboxSettings = (port: number, environment: NodeJS.ProcessEnv): PlatformSettings =>
  loadPlatformSettings({
    ...Object.fromEntries(OWN.map((name) => [name, environment[name]])),
    ...(environment['SANDBOX_ALLOWED_NETWORKS']?.trim() && { HOST: '0.0.0.0', DEVELOPMENT_NETWORK: 'true' }),
    DATA_DIR: IN_MEMORY,
    PORT: String(port),
    DEMO: 'false',
    LOG_LEVEL: 'warn',
  });
