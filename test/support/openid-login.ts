import { Browser } from './browser.js';
import { expectOk } from './expectations.js';
import type { Phone } from './phone.js';
import type { Service } from './service.js';

/** The issuer of the service, as its metadata says. */
export const issuerOf = async ({ baseUrls }: Service): Promise<string> => {
  const answer = await fetch(`${baseUrls[0]}/openid/.well-known/openid-configuration`);
  return ((await answer.json()) as { issuer: string }).issuer;
};

/** A browser follows the address of the provider to the login page, which claims the login. */
const claimed = async (address: URL | string, service: Service): Promise<{ readonly browser: Browser; readonly sessionId: string }> => {
  const answer = await fetch(address, { redirect: 'manual' });
  const token = new URL(answer.headers.get('location') ?? '').searchParams.get('t');
  const browser = new Browser(service);
  const { sessionId } = expectOk(await browser.claim(token));
  return { browser, sessionId: sessionId as string };
};

/** The person approves on the phone. Answers the address at which the browser comes back to its client. */
export const approve = async (address: URL | string, service: Service, phone: Phone): Promise<URL> => {
  const { browser, sessionId } = await claimed(address, service);
  expectOk(await phone.scan(sessionId));
  expectOk(await phone.confirm(sessionId));
  return new URL(expectOk(await browser.complete(sessionId))['redirect'] as string);
};

/** The same for a person who declines: the address to which the login page sends the browser then. */
export const decline = async (address: URL | string, service: Service, phone: Phone): Promise<URL> => {
  const { browser, sessionId } = await claimed(address, service);
  expectOk(await phone.scan(sessionId));
  expectOk(await phone.decline(sessionId));
  return new URL(expectOk(await browser.describe())['endUrl'] as string);
};
