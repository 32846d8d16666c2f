import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Fastify, { type FastifyInstance } from 'fastify';

import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { allowingInline, securityHeaders } from './security-headers.js';
import { serveWebPage } from './serve-web-page.js';

const NAME = 'O\'Hara & "Sons" </meta><script>';

describe('a web page', () => {
  let directory: string;
  let fastify: FastifyInstance;
  const lines: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'web-page-'));
    await mkdir(join(directory, 'assets'));
    await writeFile(join(directory, 'index.html'), '<meta name="countersign-config" content="%CONFIG%">');
    await writeFile(join(directory, 'assets', 'start-abc.js'), 'start()');
    await writeFile(join(directory, 'service-worker.js'), 'work()');
    fastify = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
    await serveWebPage(fastify, {
      url: 'https://service.example/login',
      directory,
      headers: securityHeaders({ baseUrl: 'https://api.example/base' }),
      config: { name: NAME, appUrl: undefined },
    });
  });

  afterAll(async () => {
    await fastify.close();
    await rm(directory, { recursive: true });
  });

  it('is served under its path, with its configuration as text and its headers', async () => {
    const answer = await fastify.inject('/login/?t=secret');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(answer.body).not.toContain('<script>');
    const content = /content="([^"]*)"/.exec(answer.body)?.[1] ?? '';
    const text = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    expect(JSON.parse(text)).toEqual({ name: NAME });
  });

  it('is sent compressed to browsers that take it', async () => {
    const page = (encodings?: string) => fastify.inject({ url: '/login/', headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });
    const plain = await page();
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['vary']).toBe('accept-encoding');
    const br = await page('gzip, deflate, br, zstd');
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    const gzip = await page('gzip;q=0.5, br;q=0');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect((await page('identity')).headers['content-encoding']).toBeUndefined();
  });

  it('never writes the address of the page to the request log', async () => {
    await fastify.inject('/login/?t=secret');
    await fastify.inject('/login?t=secret');
    expect(lines.join('')).not.toContain('secret');
  });

  it('redirects an address without the slash and keeps the query', async () => {
    const answer = await fastify.inject('/login?t=secret');
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toBe('/login/?t=secret');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('lets hashed files be cached for a year and the others be revalidated', async () => {
    const hashed = await fastify.inject('/login/assets/start-abc.js');
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(hashed.headers['x-content-type-options']).toBe('nosniff');
    expect((await fastify.inject('/login/service-worker.js')).headers['cache-control']).toBe('no-cache');
  });

  it.each(['/login/index.html', '/login/assets/', '/login/../package.json', '/login/%2e%2e/package.json', '/login/nothing.js'])(
    'serves nothing else: %s',
    async (path) => {
      expect([403, 404]).toContain((await fastify.inject(path)).statusCode);
    },
  );

  it('fails at start when it was not built', async () => {
    const page = { url: 'https://a.example/x', directory: join(directory, 'nowhere'), headers: {}, config: {} };
    await expect(serveWebPage(Fastify(), page)).rejects.toThrow('npm run build:pages');
  });

  it('can be served at the root of an origin of its own', async () => {
    const own = Fastify();
    await serveWebPage(own, { url: 'https://phone.example', directory, headers: {}, config: {} });
    expect((await own.inject('/')).statusCode).toBe(200);
    expect((await own.inject('/assets/start-abc.js')).body).toBe('start()');
    await own.close();
  });
});

describe('the headers of a page', () => {
  it('allow its own files and the service, and nothing inline', () => {
    const { 'content-security-policy': policy } = securityHeaders({ baseUrl: 'https://api.example/base' });
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self' https://api.example",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "worker-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('allow the inline content of the build by its digest, and refuse content that was added later', () => {
    const headers = securityHeaders({ baseUrl: 'https://api.example' });
    const built = allowingInline(headers, '<style>a{}</style><script>start()</script>')['content-security-policy'] ?? '';
    expect(built).toContain("script-src 'self' 'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='");
    expect(built).toMatch(/style-src 'self' 'sha256-[^']{44}'/);
    expect(built).not.toContain('unsafe');
    expect(allowingInline(headers, '<p>')).toEqual(headers);
    expect(allowingInline(headers, '<script src="./x.js"></script>')).toEqual(headers);
  });

  it('allow the camera only to the page that scans', () => {
    const permissions = (camera: boolean) => securityHeaders({ baseUrl: 'https://a.example', camera })['permissions-policy'];
    expect(permissions(true)).toContain('camera=(self)');
    expect(permissions(false)).toContain('camera=()');
  });
});
