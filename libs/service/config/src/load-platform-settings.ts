import { anchorProblems } from './anchor-problems.js';
import { egressProblems } from './egress-problems.js';
import { engineAccessProblems } from './engine-problems.js';
import { environmentProblems } from './environment-problems.js';
import { examineSettings, InvalidSettings } from './load-settings.js';
import { PlatformSettings } from './platform-settings.js';
import type { ReadSettings } from './read-settings.js';
import { tokenProblems } from './pkcs11/token-settings.js';
import { sameSite } from './same-site.js';
import { trustServiceProblems } from './trust-service-problems.js';

/** Reads the settings of the platform and checks them against each other. Throws {@link InvalidSettings}. */
export const loadPlatformSettings = (environment: NodeJS.ProcessEnv): PlatformSettings => {
  const { settings, problems } = examinePlatformSettings(environment);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return settings;
};

/** The settings of the platform with all their problems. Without a problem, the settings are complete. */
export const examinePlatformSettings = (
  environment: NodeJS.ProcessEnv,
): { readonly settings: PlatformSettings; readonly problems: readonly string[] } => {
  const { settings, problems } = examineSettings(PlatformSettings, environment);
  return {
    settings: Object.freeze(settings),
    problems: [
      ...problems,
      ...addressProblems(settings),
      ...tokenProblems(settings),
      ...engineAccessProblems(settings),
      ...trustServiceProblems(settings),
      ...egressProblems(settings),
      ...anchorProblems(settings),
      ...environmentProblems(settings, environment),
    ],
  };
};

const addressProblems = ({ baseUrl, loginUrl, port, opsPort }: ReadSettings): string[] => [
  ...(baseUrl === undefined || loginUrl === undefined || sameSite(baseUrl, loginUrl)
    ? []
    : ['BASE_URL and LOGIN_URL must be of the same site (scheme and registrable domain), or browsers would not send the login cookie.']),
  ...(opsPort !== undefined && opsPort === port ? ['OPS_PORT must differ from PORT; leave it out to have both on one port.'] : []),
];
