import type { PlatformSettings } from '#config';

/** The addresses that the welcome page links to. */
export interface Places {
  readonly demo?: string;
  readonly phone: string;
  readonly portal: string;
  readonly reference: string;
  readonly document: string;
  /** Absent where health is answered on a port of its own. */
  readonly health?: string;
}

export const placesOf = ({ demo, demoPort, appUrl, portalUrl, baseUrl, opsPort }: PlatformSettings): Places => ({
  ...(demo && { demo: `http://localhost:${demoPort}` }),
  phone: appUrl,
  portal: portalUrl,
  reference: `${baseUrl}/docs/`,
  document: `${baseUrl}/openapi.json`,
  ...(opsPort === undefined && { health: `${baseUrl}/readyz` }),
});
