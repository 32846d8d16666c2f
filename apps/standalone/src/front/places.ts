import { isGuarded, type PlatformSettings } from '#service/config';

import { builtGuide } from './built-guide.js';

/** The addresses that the welcome page links to. */
export interface Places {
  readonly demo?: string;
  readonly phone: string;
  readonly portal: string;
  /** All three are absent in a guarded environment, which does not show them on this port. */
  readonly reference?: string;
  readonly document?: string;
  readonly guide?: string;
  /** Absent where health is answered on a port of its own. */
  readonly health?: string;
}

export const placesOf = ({ demo, demoPort, appUrl, portalUrl, baseUrl, opsPort, environment }: PlatformSettings): Places => ({
  ...(demo && { demo: `http://localhost:${demoPort}` }),
  phone: appUrl,
  portal: portalUrl,
  ...(!isGuarded(environment) && { reference: `${baseUrl}/docs/`, document: `${baseUrl}/openapi.json` }),
  ...(!isGuarded(environment) && builtGuide() !== undefined && { guide: `${baseUrl}/guide/` }),
  ...(opsPort === undefined && { health: `${baseUrl}/readyz` }),
});
