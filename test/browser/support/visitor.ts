import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';

/**
 * The messages that Chromium writes for each answer other than 2xx, each call without a network, each link to an app that is not installed,
 * and each push subscription in an incognito profile, as every profile of a test is.
 */
const EXPECTED = /^(?:Failed to (?:load resource:|launch 'countersign:)|Chrome currently does not support the Push API in incognito mode)/;

/** A browser, and a record of its requests and faults. */
export class Visitor {
  /** Things that no page may do: break its policy, throw, or call a third party. */
  readonly faults: string[] = [];
  readonly requests: Request[] = [];

  /** Origins that a page may ask. */
  private readonly known = new Set<string>();

  private constructor(readonly context: BrowserContext) {}

  static async arrive(browser: Browser, options: BrowserContextOptions, addresses: readonly string[]): Promise<Visitor> {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(20_000);
    const visitor = new Visitor(context);
    await context.addInitScript(tellViolations);
    context.on('request', (request) => visitor.requests.push(request));
    const { known } = visitor;
    for (const address of addresses) visitor.allow(address);
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !known.has(origin)) visitor.faults.push(`asked a third party: ${origin}`);
    });
    context.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) visitor.faults.push(`${message.location().url} ${message.text()}`);
    });
    context.on('weberror', (error) => visitor.faults.push(String(error.error().stack)));
    return visitor;
  }

  /** The origin is one of the test. */
  allow(address: string): void {
    this.known.add(new URL(address).origin);
  }

  /** A new window. */
  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  /** Without network, and with it again. */
  offline(gone: boolean): Promise<void> {
    return this.context.setOffline(gone);
  }
}

/** Runs in each page before its own scripts. */
const tellViolations = (): void => {
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`policy violated: ${violatedDirective} by ${blockedURI}`);
  });
};
