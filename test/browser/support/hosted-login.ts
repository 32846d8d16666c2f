import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

import { HASH, type Login, type Phone, RelyingParty } from '../../support/index.js';
import type { Stage } from './stage.js';
import type { Visitor } from './visitor.js';

export interface HostedChoices {
  readonly signing?: boolean;
  /** Of the relying party; one of its own in each run where it is left out. */
  readonly name?: string;
  /** Sent to the phone of the person, who has logged in before. */
  readonly push?: boolean;
  /** The relying party is registered with `dynamic_qr`. */
  readonly dynamicQr?: boolean;
  /** The same with `finish_by_number`. */
  readonly finishByNumber?: boolean;
  /** More fields of POST session. */
  readonly more?: Record<string, unknown>;
  readonly visitor?: Visitor;
}

const SIGNING = {
  signature_type: 'SIGNING',
  code_challenge: undefined,
  code_challenge_method: undefined,
  signed_data_hash: HASH,
  signed_data_name: 'Rental contract.pdf',
  signed_data_size: 142_000,
};

/** A request on the hosted page: the test is the relying party, and the phone is scripted. */
export class HostedLogin {
  constructor(
    readonly page: Page,
    readonly shop: RelyingParty,
    readonly login: Login,
    readonly phone: Phone,
  ) {}

  at(testid: string): Locator {
    return this.page.getByTestId(testid);
  }

  state(state: string): Promise<void> {
    return this.page.locator(`html[data-state="${state}"]`).waitFor();
  }

  async scan(): Promise<void> {
    await must(this.phone.scan(this.login.sessionId));
  }

  async confirm(): Promise<void> {
    await must(this.phone.confirm(this.login.sessionId));
  }

  async decline(): Promise<void> {
    await must(this.phone.decline(this.login.sessionId));
  }
}

const must = async (answer: Promise<{ readonly status: number; readonly text: string }>): Promise<void> => {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`the phone is refused: ${status} ${text}`);
};

/** Where relying parties of these tests bring people back to: a page that shows its address. */
const site = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><html lang="en"><title>Shop</title><h1>The shop</h1>'),
);

const origin = async (): Promise<string> => {
  if (!site.listening) await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  return `http://localhost:${(site.address() as AddressInfo).port}`;
};

afterAll(() => void site.close());

/** The start page of the relying party. */
export const shopOrigin = origin;

export const hostedLogin = async (
  stage: Stage,
  { signing = false, name, push = false, dynamicQr = false, finishByNumber = false, more = {}, visitor }: HostedChoices = {},
): Promise<HostedLogin> => {
  const home = await origin();
  const redirectUri = `${home}/callback`;
  const shop = await RelyingParty.register(stage.service, {
    redirect_uris: [redirectUri],
    dynamic_qr: dynamicQr,
    finish_by_number: finishByNumber,
    ...(name !== undefined && { name }),
  });
  const phone = await stage.staff.newPhone();
  const pushed = push ? { push: true, subject_id: await shop.subjectOf(phone, { redirect_uri: redirectUri }) } : {};
  const login = await shop.login({ redirect_uri: redirectUri, hosted_page: true, ...(signing && { ...SIGNING }), ...pushed, ...more });
  const person = visitor ?? (await stage.visitor());
  person.allow(home);
  const page = await person.open(`${home}/`);
  await page.goto(`${stage.addresses.login}/?t=${encodeURIComponent(login.handoffToken ?? '')}`);
  const opened = new HostedLogin(page, shop, login, phone);
  await opened.state('WAITING');
  return opened;
};
