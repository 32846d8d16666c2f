import { randomUUID } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';

import { type Answer, Browser, exchange, expectError, expectOk, RelyingParty, type Service, sharedService, Staff } from '../support/index.js';

let service: Service;
let staff: Staff;
let shop: RelyingParty;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
});

beforeEach(async () => {
  shop = await RelyingParty.register(service);
});

const picture = (shade: number): string => {
  const png = new PNG({ width: 64, height: 64 });
  png.data.fill(shade);
  return PNG.sync.write(png).toString('base64');
};

const logoPath = (): string => `/clients/${shop.clientId}/logo`;
const upload = (image: unknown): Promise<Answer> => staff.call('PUT', logoPath(), { image });

/** The logo that the hosted page of a new login is told. */
const toldToPage = async (): Promise<string | undefined> => {
  const browser = new Browser(service);
  expectOk(await browser.claim((await shop.login({ hosted_page: true })).handoffToken));
  return expectOk(await browser.describe())['relyingPartyLogo'] as string | undefined;
};

/** From the page's own origin. */
const fetchLogo = (path: string): Promise<Answer> => {
  const { origin, pathname } = new URL(`${service.loginUrl}/${path}`.replace('//localhost', '//127.0.0.1'));
  return exchange(origin, { method: 'GET', path: pathname });
};

describe('the logo of a client', () => {
  it('is served to the hosted page under an address that holds its hash', async () => {
    const { shown } = expectOk(await upload(picture(200))) as { shown: { hash: string } };
    const path = await toldToPage();
    expect(path).toBe(`logos/${shop.clientId}/${shown.hash}.png`);
    const answer = await fetchLogo(path ?? '');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': expect.stringContaining('immutable'),
    });
  });

  it('is absent until there is one, and after its removal', async () => {
    expect(await toldToPage()).toBeUndefined();
    const { shown } = expectOk(await upload(picture(100))) as { shown: { hash: string } };
    expect((await staff.call('DELETE', logoPath())).status).toBe(204);
    expect(await toldToPage()).toBeUndefined();
    expect((await fetchLogo(`logos/${shop.clientId}/${shown.hash}.png`)).status).toBe(404);
  });

  it('is answered to staff', async () => {
    expectOk(await upload(picture(50)));
    expect(expectOk(await staff.call('GET', logoPath()))).toMatchObject({ shown: { width: 64, height: 64 } });
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['no base64', '%%%'],
    ['nothing', undefined],
    ['too much', 'A'.repeat(44_000)],
  ])('is refused when it is no picture: %s', async (_, image) => {
    expectError(await upload(image), 400, 'invalid_request', 'image');
  });

  it('of an unknown client is refused', async () => {
    expectError(await staff.call('PUT', `/clients/${randomUUID()}/logo`, { image: picture(1) }), 404, 'client_not_found');
  });

  it('cannot be approved when another one waits, or none', async () => {
    expectError(await staff.call('POST', `${logoPath()}/approval`, { hash: '0'.repeat(64) }), 404, 'logo_not_found');
  });
});
