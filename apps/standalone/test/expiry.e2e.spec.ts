import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { streamName } from '#engines/event-store';
import { sha256Base64url } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { startStandalone } from '../src/start.js';

it('a session that no request touches becomes EXPIRED soon after the clock moves past its deadline, also one from before a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'expiry-'));
  const port = String(await reservePort());
  const demoPort = String(await reservePort());
  const start = () => startStandalone(loadPlatformSettings({ PORT: port, DEMO_PORT: demoPort, DATA_DIR: directory, LOG_LEVEL: 'silent' }));
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const create = async ({ demo }: Awaited<ReturnType<typeof start>>): Promise<string> => {
    const authorization = `Basic ${btoa(`${demo?.clientId}:${demo?.clientSecret}`)}`;
    const terms = {
      redirect_uri: demo?.redirectUri,
      signature_type: 'AUTHENTICATION',
      code_challenge: sha256Base64url('x'.repeat(43)),
      code_challenge_method: 'S256',
    };
    return (await post('/relying-party/v1/session', terms, { authorization })).sessionId as string;
  };

  const first = await start();
  const before = await create(first);
  await first.close();

  const second = await start();
  const { eventStore } = second.platform;
  const after = await create(second);
  const typesOf = async (sessionId: string): Promise<readonly string[]> =>
    (await eventStore.read(streamName('session', sessionId))).map(({ type }) => type);
  await post('/sandbox/v1/clock', { advance_seconds: 121 });
  const haveEnded = async (): Promise<boolean> => (await typesOf(before)).length > 1 && (await typesOf(after)).length > 1;
  await eventually(haveEnded, { what: 'both have ended', within: 20_000 });
  expect([await typesOf(before), await typesOf(after)]).toEqual([
    ['SessionCreated', 'SessionExpired'],
    ['SessionCreated', 'SessionExpired'],
  ]);
  await second.close();
  await rm(directory, { recursive: true });
});
