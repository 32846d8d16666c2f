import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

import { type Person, secret, type Service, type StandaloneService, sharedService, Staff, startsProcesses } from '../../support/index.js';
import type { Addresses } from './addresses.js';
import { CHROMIUM, FLAGS } from '../../../testkit/programs/browsers/chromium.ts';
import { DemoLibrary } from './demo-library.js';
import { PhonePool } from './phone-pool.js';
import { type ServiceWithDemo, sharedProcess, startWithDemo } from './shared-process.js';
import { Visitor } from './visitor.js';
import { WebPhone } from './web-phone.js';

export interface StageOptions {
  /** A service process of its own, whose clock the file may move. The name is that of the process. */
  readonly ownService?: string;
  /** More settings of that process. */
  readonly settings?: () => Promise<Readonly<Record<string, string>>>;
  /** A browser of its own, with these flags. */
  readonly flags?: readonly string[];
}

const HAND = { viewport: { width: 390, height: 844 } };

/** The service with its demo, a browser, and the visitors of the pages. */
export class Stage {
  service!: Service;
  addresses!: Addresses;
  staff!: Staff;
  #browser!: Browser;
  #process: StandaloneService | undefined;
  #visitors: Visitor[] = [];
  readonly #phones = new PhonePool(
    async () => {
      const holder = await Visitor.arrive(this.#browser, HAND, Object.values(this.addresses));
      return { holder, phone: await this.#setUp(holder) };
    },
    () => this.addresses.phone,
  );

  async open({ ownService, settings, flags }: StageOptions): Promise<void> {
    if (!startsProcesses) await this.#useWhatIsThere();
    else if (ownService === undefined) this.#use(await sharedProcess());
    else this.#use(await this.#startOwn(ownService, await settings?.()));
    this.staff = new Staff(this.service);
    const endpoint = process.env['BROWSER_ENDPOINT'];
    this.#browser =
      flags === undefined && endpoint !== undefined
        ? await chromium.connect(endpoint)
        : await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...(flags ?? [])] });
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#process?.stop();
  }

  /** Ends the visits of a test. Throws when a page broke a rule for all pages. */
  async clear(): Promise<void> {
    const visitors = this.#visitors.splice(0);
    await Promise.all([...visitors.map(({ context }) => context.close()), this.#phones.clear()]);
    const faults = [...visitors, ...this.#phones.holders].flatMap((visitor) => visitor.faults.splice(0));
    if (faults.length > 0) throw new Error(`the pages are not clean:\n${faults.join('\n')}`);
  }

  /** A visitor with an empty browser profile. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(this.#browser, options, Object.values(this.addresses));
    this.#visitors.push(visitor);
    return visitor;
  }

  /** Waits for the navigation to the hosted page; answers the address with the handoff token in it. */
  async handoff({ page }: DemoLibrary): Promise<string> {
    const request = await page.waitForRequest((sent) => sent.url().startsWith(`${this.addresses.login}/?t=`));
    return request.url();
  }

  /** A new window in front of the demo's home page. */
  async demo(visitor: Visitor): Promise<DemoLibrary> {
    const page = await visitor.open(this.addresses.demo);
    return new DemoLibrary(page, this.addresses);
  }

  /** The demo after a login by this phone and a logout: it can send a push to the person, and its push option is on. */
  async demoThatCanPush(phone: WebPhone): Promise<{ readonly demo: DemoLibrary; readonly subjectId: string }> {
    const demo = await this.demo(await this.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    const subjectId = await demo.subjectId();
    await demo.logOut();
    await phone.at('done').click();
    await demo.at('push').check();
    return { demo, subjectId };
  }

  /** A phone that is set up for some person. It may have served a test before. */
  anyPhone(): Promise<WebPhone> {
    return this.#phones.take();
  }

  /** A new phone that is set up for this person, or for a new one. */
  async phone({ of, visitor }: { of?: Pick<Person, 'identityId'>; visitor?: Visitor } = {}): Promise<WebPhone> {
    const holder = visitor ?? (await this.visitor(HAND));
    return this.#setUp(holder, of);
  }

  /** The web phone that a page has a link to, in the same window. */
  async openedPhone(demo: DemoLibrary): Promise<WebPhone> {
    await demo.at('open-web-phone').click();
    await demo.page.waitForURL(`${this.addresses.phone}/**`);
    return new WebPhone(demo.page);
  }

  async activationLink(person?: Pick<Person, 'identityId'>): Promise<string> {
    const code = await this.staff.activationCode(person ?? (await this.staff.registerPerson()));
    return `${this.addresses.phone}/#activate=${encodeURIComponent(code)}`;
  }

  /** Moves the service's clock forward, for good. */
  async pass(seconds: number): Promise<void> {
    const answer = await this.service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } });
    if (answer.status !== 200) throw new Error(`the clock does not move: ${answer.status} ${answer.text}`);
  }

  async #setUp(holder: Visitor, of?: Pick<Person, 'identityId'>): Promise<WebPhone> {
    const phone = new WebPhone(await holder.open(await this.activationLink(of)));
    await phone.setUp();
    return phone;
  }

  async #startOwn(name: string, settings?: Readonly<Record<string, string>>): Promise<ServiceWithDemo> {
    const started = await startWithDemo(name, settings);
    this.#process = started.service;
    return started;
  }

  #use({ service, demo }: ServiceWithDemo): void {
    const origin = service.loginOrigin;
    this.service = service;
    this.addresses = { service: origin, login: service.loginUrl, phone: `${origin}/phone`, demo };
  }

  async #useWhatIsThere(): Promise<void> {
    this.service = await sharedService();
    const [service = ''] = this.service.baseUrls;
    const { APP_URL: phone = `${service}/phone`, DEMO_URL: demo } = process.env;
    if (!demo) throw new Error('DEMO_URL is needed beside BASE_URL');
    this.addresses = { service, login: this.service.loginUrl, phone, demo };
  }
}

/** A stage for all tests of a file: on the service and in the browser of the run, unless it asks for its own. */
export const useStage = (options: StageOptions = {}): Stage => {
  const stage = new Stage();
  beforeAll(() => stage.open(options));
  afterEach(() => stage.clear());
  afterAll(() => stage.close());
  return stage;
};

/** Adds the secrets of the demo's redirect to the search for secrets. */
export const handoffTokenIn = (url: string): string => secret('handoff token', new URL(url).searchParams.get('t') ?? '');
