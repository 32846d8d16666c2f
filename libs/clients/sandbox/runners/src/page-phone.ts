import type { Sandbox, Scanned } from '../../src/index.js';

/** The parts of Playwright's page that a phone needs. */
export interface PageWithLogin {
  locator(selector: string): { getAttribute(name: string): Promise<string | null> };
}

/** The link to the app on the hosted page: it holds the text of the QR code. */
const LINK = 'a[data-testid="open-app"]';

/** A phone before the hosted page in a browser. */
export class PagePhone {
  constructor(
    private readonly page: PageWithLogin,
    private readonly sandbox: Sandbox,
  ) {}

  /** Waits until the page shows its QR code, scans it and acts. The page then goes on by itself. `phoneId`: by default the person who confirms. */
  async scan(phoneId?: string): Promise<Scanned> {
    const qr = await this.page.locator(LINK).getAttribute('href');
    return this.sandbox.scan(qr ?? '', phoneId);
  }
}
