import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';

import { createPlainApp } from '#service/http';

import { serveGuide } from '../src/front/serve-guide.js';

let app: FastifyInstance;
beforeAll(async () => {
  app = createPlainApp();
  await serveGuide(app);
});
afterAll(() => app.close());

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers });

describe('the documentation site', () => {
  it('is at /guide/, and an address with or without a slash at its end leads to the right one', async () => {
    for (const [path, location] of [
      ['/guide', '/guide/'],
      ['/guide/adr', '/guide/adr/'],
      ['/guide/webhooks/', '/guide/webhooks'],
    ]) {
      const { statusCode, headers } = await get(path!);
      expect([path, statusCode, headers.location]).toEqual([path, 308, location]);
    }
    const page = await get('/guide/');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<h1 id="the-documentation-of-countersign">');
  });

  it('has a policy of its own: files of this origin, nothing inline, no frame', async () => {
    const { headers } = await get('/guide/webhooks');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect((await get('/guide/images/flame-login.svg')).headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
  });

  it('is revalidated by a digest of each form, and its hashed files are kept for a year', async () => {
    const plain = await get('/guide/webhooks');
    const small = await get('/guide/webhooks', { 'accept-encoding': 'gzip, deflate, br' });
    const other = await get('/guide/webhooks', { 'accept-encoding': 'gzip;q=0.5, br;q=0' });
    expect([plain, small, other].map(({ headers }) => [headers['content-encoding'], headers.vary, headers['cache-control']])).toEqual([
      [undefined, 'accept-encoding', 'no-cache'],
      ['br', 'accept-encoding', 'no-cache'],
      ['gzip', 'accept-encoding', 'no-cache'],
    ]);
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(other.rawPayload).toString()).toBe(plain.body);
    const tags = [plain, small, other].map(({ headers }) => String(headers.etag));
    expect(new Set(tags).size).toBe(3);
    const again = await get('/guide/webhooks', { 'if-none-match': tags[0]! });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tags[0]]);
    expect((await get('/guide/webhooks', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    const script = /src="(assets\/start-[^"]+\.js)"/.exec((await get('/guide/')).body)?.[1];
    expect((await get(`/guide/${script}`)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('serves its list of files and nothing else', async () => {
    for (const path of [
      'index.html',
      'webhooks.html',
      'files.json',
      'assets.json',
      '404',
      'webhooks.html.br',
      'assets/',
      '../login/index.html',
      '..%2flogin%2findex.html',
      '%2e%2e/%2e%2e/package.json',
      'constructor',
      '__proto__',
      'WEBHOOKS',
      'a'.repeat(8_000),
    ])
      expect([path.slice(0, 30), (await get(`/guide/${path}`)).statusCode]).toEqual([path.slice(0, 30), 404]);
  });

  it('answers a missing page to a person with a page that leads back, and to a program with the envelope', async () => {
    const person = await get('/guide/none/none', { accept: 'text/html' });
    expect([person.statusCode, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(person.body).toContain('href="/guide/webhooks"');
    const program = await get('/guide/none/none');
    expect([program.statusCode, program.json()]).toEqual([404, expect.objectContaining({ errorCode: 'not_found' })]);
  });

  it('answers no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) expect((await app.inject({ method, url: '/guide/webhooks' })).statusCode).toBe(404);
  });

  it('has the feed of the changelog, the event documents and the index of the search as what they are', async () => {
    const types = await Promise.all(
      ['changelog.atom', 'asyncapi.yaml', 'search.json'].map(async (path) => (await get(`/guide/${path}`)).headers['content-type']),
    );
    expect(types).toEqual(['application/atom+xml; charset=utf-8', 'application/yaml; charset=utf-8', 'application/json; charset=utf-8']);
  });
});
