import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express';
import { describe, expect, it } from '@jest/globals';
import express from 'express';

import { runDirectory } from '../support/index.js';
import { recipeOf } from './support/index.js';

describe('Auth.js at a server of Express', () => {
  it('logs in with the settings of the portal', async () => {
    const app = express();
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { settings, shop, person } = await recipeOf('Auth.js', origin);
    const file = join(runDirectory(), 'auth-js.mjs');
    await writeFile(file, `export default { ${settings} };`);
    process.env['COUNTERSIGN_SECRET'] = shop.clientSecret;
    const { default: copied } = (await import(file)) as { readonly default: Pick<ExpressAuthConfig, 'providers'> };
    const config = { ...copied, secret: 'of the cookies of this test', trustHost: true };
    app.use('/api/auth', ExpressAuth(config));
    app.get('/', async (request, response) => {
      response.json(await getSession(request, config));
    });

    const browser = person();
    const { csrfToken } = JSON.parse((await browser.open(`${origin}/api/auth/csrf`)).text) as { csrfToken: string };
    const body = new URLSearchParams({ csrfToken, callbackUrl: `${origin}/` });
    const { address, text } = await browser.open(`${origin}/api/auth/signin/countersign`, { method: 'POST', body });
    expect([address.href, JSON.parse(text)]).toEqual([
      `${origin}/`,
      expect.objectContaining({ user: expect.objectContaining({ name: expect.any(String) }) }),
    ]);
    expect(JSON.parse((await person().open(`${origin}/`)).text)).toBeNull();
    server.close();
  });
});
