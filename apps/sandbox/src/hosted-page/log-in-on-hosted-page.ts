import { InvalidRequest } from '#kernel';

import type { ActOnScan, Acted } from '../phones/act-on-scan.js';
import { withMappedErrors } from '../phones/refused-phone.js';
import { HostedPage, type HostedPageParts } from './hosted-page.js';

export interface LoggedIn extends Acted {
  /** Where the page sends the browser: the client's callback with its query. Absent where the login ended without. */
  readonly redirect?: string;
}

export interface LogInParts extends HostedPageParts {
  readonly actOnScan: Pick<ActOnScan, 'execute'>;
  /** Of OpenID Connect. */
  readonly issuerUrl: string;
}

/** What a browser does with the address to which a relying party sends it, and what the phone of its person does meanwhile. */
export class LogInOnHostedPage {
  constructor(private readonly parts: LogInParts) {}

  /** `url`: of the login page with its handoff token, or of the authorization endpoint. Throws {@link InvalidRequest} for another, and what the page and the phone are refused with. */
  async execute(phoneId: string, url: string): Promise<LoggedIn> {
    const { page, sessionId, qr } = await HostedPage.open(this.parts, await this.#handoffToken(url));
    const acted = await this.parts.actOnScan.execute(phoneId, qr);
    const redirect = await page.end(sessionId);
    return { ...acted, ...(redirect !== undefined && { redirect }) };
  }

  async #handoffToken(url: string): Promise<string> {
    const { loginUrl, issuerUrl } = this.parts;
    if (isAt(url, `${issuerUrl}/authorize`)) return this.#handoffToken(await this.#authorize(new URL(url)));
    const token = isAt(url, loginUrl) ? new URL(url).searchParams.get('t') : null;
    if (token === null)
      throw new InvalidRequest(
        `\`url\` is not an address of the login page; give the one to which your application sends the browser: ${loginUrl}/?t=…`,
      );
    return token;
  }

  /** The address to which the authorization endpoint sends the browser. */
  async #authorize({ pathname, search }: URL): Promise<string> {
    const { own, fetch } = this.parts;
    const { status, headers } = await withMappedErrors(fetch(`${own}${pathname}${search}`, { redirect: 'manual' }));
    const location = headers.get('location');
    if (location === null || isAt(location, `${this.parts.issuerUrl}/authorize`))
      throw new InvalidRequest(`\`url\` was answered ${status} by the authorization endpoint`);
    return location;
  }
}

/** Whether the address is this one, with whatever query. A trailing slash does not count. */
const isAt = (url: string, address: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [{ origin, pathname }, wanted] = [new URL(url), new URL(address)];
  return origin === wanted.origin && pathname.replace(/\/$/, '') === wanted.pathname.replace(/\/$/, '');
};
