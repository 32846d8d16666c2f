import type { PlatformSettings } from '#service/config';
import { within } from '#kernel';

import { pathOf } from '../serve-applications.js';
import { type Asked, FORGED, read, TIME_LIMIT } from './ask-address.js';
import { type DoctorFinding, findingsOf } from './finding.js';

/** Something that the service answers at a path, and how its answer is known. */
interface Part {
  readonly what: string;
  readonly path: string;
  readonly isShownBy: (answer: Asked) => boolean;
}

/** A public address, and what its origin must not answer. */
interface Place {
  readonly setting: string;
  readonly url: string;
  readonly others: readonly Part[];
}

type Ask = (url: string) => Promise<Asked | undefined>;

/**
 * Whether the proxy keeps the origins of the running service apart: those of the phone and the portal answer nothing else, and the others answer neither. A page is
 * known by its text at its own address, so none is looked for that does not answer there.
 */
export const checkOrigins = async ({ baseUrl, loginUrl, appUrl, portalUrl }: PlatformSettings, ca?: string): Promise<readonly DoctorFinding[]> => {
  const ask: Ask = (url) => within(TIME_LIMIT, read(url, { ca, headers: FORGED })).catch(() => undefined);
  const login = await pageAt('the login page', loginUrl, ask);
  const phone = await pageAt('the web phone', appUrl, ask);
  const portal = [...(await pageAt('the portal', portalUrl, ask)), PORTAL_API];
  const places: readonly Place[] = [
    { setting: 'APP_URL', url: appUrl, others: [...login, ...portal, CLIENT_API, LOGIN_API, STAFF_API] },
    { setting: 'PORTAL_URL', url: portalUrl, others: [...login, ...phone, CLIENT_API, LOGIN_API, PHONE_API] },
    { setting: 'BASE_URL', url: baseUrl, others: [...phone, ...portal] },
    { setting: 'LOGIN_URL', url: loginUrl, others: [...phone, ...portal] },
  ];
  return (await Promise.all(places.map((place) => examined(place, ask)))).flat();
};

const examined = async ({ setting, url, others }: Place, ask: Ask): Promise<readonly DoctorFinding[]> => {
  const { origin } = new URL(url);
  const problems: string[] = [];
  for (const { what, path, isShownBy } of others) {
    const answer = await ask(origin + path);
    if (answer && isShownBy(answer)) problems.push(`${setting}: its origin answers ${what} too, under ${path}. Let the proxy answer 404 there.`);
  }
  return findingsOf(`${setting}, apart from the others`, problems);
};

const pageAt = async (what: string, url: string, ask: Ask): Promise<readonly Part[]> => {
  const own = await ask(`${url}/`);
  return own?.status === 200 && own.text !== ''
    ? [{ what, path: `${pathOf(url)}/`, isShownBy: ({ status, text }) => status === 200 && text === own.text }]
    : [];
};

const refusal = (what: string, path: string, errorCode: string): Part => ({
  what,
  path,
  isShownBy: ({ text }) => text.includes(`"errorCode":"${errorCode}"`),
});

/** Each refuses a request without a credential in its own way. What the proxy does not pass on, or no application has, is `not_found`. */
const CLIENT_API: Part = {
  what: 'the API of relying parties',
  path: '/relying-party/v1/session',
  isShownBy: ({ status, challenge }) => status === 401 && challenge?.startsWith('Basic') === true,
};
const LOGIN_API = refusal('the API of the login page', '/login-ui/v1/session', 'login_header_required');
const PHONE_API = refusal('the API of the phones', '/app/v1/session/pending', 'invalid_device_proof');
const PORTAL_API = refusal('the API of the portal', '/portal/v1/session', 'portal_header_required');
const STAFF_API = refusal('the API of the staff', '/admin/v1/clients', 'unauthorized');
