import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { OAUTH2_PROXY } from '#testkit/programs/oauth2-proxy/build';
import { reservePorts } from '#testkit/processes/reserve-port';

import { runDirectory } from '../support/index.js';
import { ForeignProgram, recipeOf } from './support/index.js';

describe('oauth2-proxy before an application', () => {
  it('logs in with the settings of the portal, and tells the application who it is', async () => {
    const application = createServer((request, response) => response.end(JSON.stringify(request.headers))).listen(0, '127.0.0.1');
    await once(application, 'listening');
    const [port] = (await reservePorts(1)) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const { settings, shop, person } = await recipeOf('oauth2-proxy', origin);
    const [secret, config] = ['secret', 'oauth2-proxy.cfg'].map((name) => join(runDirectory(), name)) as [string, string];
    await writeFile(secret, shop.clientSecret);
    const local = [
      `http_address = "127.0.0.1:${port}"`,
      `redirect_url = "${origin}/oauth2/callback"`,
      `upstreams = ["http://127.0.0.1:${(application.address() as AddressInfo).port}/"]`,
      'cookie_secret = "0123456789abcdef0123456789abcdef"',
      'cookie_secure = false',
      'skip_provider_button = true',
    ];
    await writeFile(config, [settings.replace('/run/secrets/countersign', secret), ...local].join('\n'));
    await using _proxy = await ForeignProgram.start({ command: [OAUTH2_PROXY, '--config', config], ready: `${origin}/ping` });

    const browser = person();
    const { status, text } = await browser.open(`${origin}/account`);
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ 'x-forwarded-user': expect.stringMatching(/^[0-9a-f-]{36}$/) })]);
    expect((await browser.open(`${origin}/account`)).text).toContain((JSON.parse(text) as Record<string, string>)['x-forwarded-user']);
    application.close();
  });
});
