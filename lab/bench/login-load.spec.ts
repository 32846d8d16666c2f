import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { Phone } from '#clients/software-phone';
import { expect, it } from '@jest/globals';

import { loginLoad } from './login-load.js';
import { RelyingParty } from './relying-party.js';

/** What `3c739ed8`, the first commit that `bench -- between` is asked for, takes in a scan. It refuses any other field. */
const TAKEN = ['a', 'admission', 'return_url', 't', 'via'];

const ANSWERS: Readonly<Record<string, object>> = {
  '/app/v1/device': { deviceId: '11111111-1111-4111-8111-111111111111', name: 'Bench' },
  '/relying-party/v1/session': { sessionId: '22222222-2222-4222-8222-222222222222' },
};

it('a login of the load scans with fields alone that earlier commits know', async () => {
  const scans: object[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request;
    const body = (await json(request)) as object;
    if (url.endsWith('/scan')) scans.push(body);
    const text = JSON.stringify(ANSWERS[url] ?? {});
    response.writeHead(ANSWERS[url] ? 200 : 503, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
  };
  const service = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((listening) => service.once('listening', listening));
  const server = { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, cpuSeconds: () => undefined };
  const phone = await Phone.enrol({ baseUrl: server.url, activationCode: 'code', name: 'Bench', platform: 'Bench', pin: '2468' });
  const relyingParty = new RelyingParty(server, 'client', 'secret', 'https://bench.example/callback');
  const { failures } = await loginLoad({ server, relyingParty, phones: [phone] }).run({ seconds: 0.05, concurrency: 1 });
  service.close();
  service.closeAllConnections();
  expect([...failures.keys()]).toEqual(['scan: 503']);
  expect(scans.length).toBeGreaterThan(0);
  expect(scans.flatMap(Object.keys).filter((field) => !TAKEN.includes(field))).toEqual([]);
});
