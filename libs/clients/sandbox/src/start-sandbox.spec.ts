import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SEEDED_CLIENT } from './seeded-client.js';
import { runningSandbox, startForRun, startSandbox } from './start-sandbox.js';

const VARIABLE = 'COUNTERSIGN_SANDBOX_URL';
let before: string | undefined;
beforeEach(() => {
  before = process.env[VARIABLE];
  delete process.env[VARIABLE];
});
afterEach(() => {
  if (before === undefined) delete process.env[VARIABLE];
  else process.env[VARIABLE] = before;
});

/** A server in place of the sandbox, and what it was asked. */
const answering = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, close: () => server.close() };
};

describe('the sandbox that COUNTERSIGN_SANDBOX_URL names', () => {
  it('is taken in place of a new one, and stopping it leaves it running', async () => {
    process.env[VARIABLE] = 'http://localhost:3000/';
    const sandbox = await startSandbox();
    expect([sandbox.url, sandbox.loginUrl, sandbox.issuer]).toEqual([
      'http://localhost:3000',
      'http://localhost:3000/login',
      'http://localhost:3000/openid',
    ]);
    expect(sandbox.client).toEqual(SEEDED_CLIENT);
    await sandbox.stop();
    expect((await startForRun()).url).toBe('http://localhost:3000');
    expect(runningSandbox().url).toBe('http://localhost:3000');
  });

  it('is missing where no set-up ran, which the error says', () => {
    expect(() => runningSandbox()).toThrow(/^no sandbox runs: name the set-up of @countersign\/sandbox .* or set COUNTERSIGN_SANDBOX_URL/);
  });

  it('is refused when the value is no address', async () => {
    process.env[VARIABLE] = 'localhost:';
    await expect(startSandbox()).rejects.toThrow('COUNTERSIGN_SANDBOX_URL is no address: give one like http://localhost:3000');
  });
});

describe('the calls of a sandbox', () => {
  it('send what the specification names', async () => {
    const server = await answering((_, response) => response.end(JSON.stringify({ clientId: 'c', clientSecret: 's', now: 7 })));
    const sandbox = runningSandbox();
    expect(await sandbox.createClient(['http://localhost/callback'])).toEqual({
      clientId: 'c',
      clientSecret: 's',
      redirectUris: ['http://localhost/callback'],
    });
    await sandbox.createPhone({ persona: 'slow', delaySeconds: 5 });
    await sandbox.createPhone({ persona: 'minor' });
    await sandbox.logIn('http://localhost/login/?t=1');
    await sandbox.scan('countersign://app/scan', 'a/b');
    expect(await sandbox.moveClock(60)).toBe(7);
    await sandbox.switchFaults({ timeStampDown: true });
    await sandbox.reset();
    server.close();
    expect(server.asked).toEqual([
      'POST /sandbox/v1/clients {"redirect_uris":["http://localhost/callback"]}',
      'POST /sandbox/v1/phones {"persona":"slow","delay_seconds":5}',
      'POST /sandbox/v1/phones {"persona":"minor"}',
      'POST /sandbox/v1/phones/ok/login {"url":"http://localhost/login/?t=1"}',
      'POST /sandbox/v1/phones/a%2Fb/scan {"qr":"countersign://app/scan"}',
      'POST /sandbox/v1/clock {"advance_seconds":60}',
      'POST /sandbox/v1/faults {"time_stamp_down":true}',
      'POST /sandbox/v1/reset ',
    ]);
  });

  it.each([
    [
      'an envelope',
      '{"errorCode":"invalid_request","defaultTranslation":"`url` is missing"}',
      ': invalid_request: `url` is missing',
      'invalid_request',
    ],
    ['no JSON', '<html>', '', undefined],
    ['null', 'null', '', undefined],
    ['nothing', '', '', undefined],
  ])('pass a refusal on with the call and its reason: %s', async (_, body, reason, errorCode) => {
    const server = await answering((__, response) => response.writeHead(400).end(body));
    const refused = runningSandbox().logIn('http://localhost');
    await expect(refused).rejects.toMatchObject({ message: `the sandbox answered 400 to POST /sandbox/v1/phones/ok/login${reason}`, errorCode });
    server.close();
  });

  it('say that the sandbox cannot be reached', async () => {
    const server = await answering(() => undefined);
    server.close();
    await expect(runningSandbox().reset()).rejects.toThrow(/^the sandbox at http:\/\/127\.0\.0\.1:\d+ cannot be reached$/);
  });
});
