import { once } from 'node:events';
import { createServer } from 'node:http';

import { shop } from './shop.js';

/** The shop on a port of its own, as a client of its own of the sandbox. */
export const openShop = async (sandbox) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const client = await sandbox.createClient([`${origin}/callback`]);
  server.on('request', shop({ baseUrl: sandbox.url, loginUrl: sandbox.loginUrl, origin, ...client }));
  return { origin, client, close: () => server.close() };
};

/** A browser that keeps its cookies and follows no redirect by itself. */
export const newBrowser = () => {
  const cookies = new Map();
  return async (url) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    for (const [pair] of response.headers.getSetCookie().map((text) => text.split(';'))) {
      const [name, value] = pair.split('=', 2);
      cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };
};
