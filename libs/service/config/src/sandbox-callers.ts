import { GUARDED, isGuarded } from './environment.js';
import { isTooWide } from './guarded-networks.js';
import type { ReadSettings } from './read-settings.js';

/** Why others may not call the sandbox so: {@link SessionSettings.sandboxAllowedNetworks}. */
export const sandboxCallerProblems = ({ environment, sandboxAllowedNetworks = [], sandboxAllowedHosts = [] }: ReadSettings): readonly string[] => {
  if (environment !== undefined && isGuarded(environment))
    return [
      ...(sandboxAllowedNetworks.length > 0 ? ['SANDBOX_ALLOWED_NETWORKS'] : []),
      ...(sandboxAllowedHosts.length > 0 ? ['SANDBOX_ALLOWED_HOSTS'] : []),
    ].map((name) => `${name} must be empty, ${GUARDED}: there is no sandbox. Leave ${name} out.`);
  const wide = sandboxAllowedNetworks.flatMap((network, at) => (isTooWide(network) ? [at + 1] : []));
  if (wide.length === 0) return [];
  return [
    `SANDBOX_ALLOWED_NETWORKS must not hold everything, nor whole parts of the internet (${wide.length > 1 ? 'entries' : 'entry'} ${wide.join(', ')}): who reaches the sandbox moves its clock and empties it. Set SANDBOX_ALLOWED_NETWORKS to the network of your containers, such as 172.17.0.0/16.`,
  ];
};
