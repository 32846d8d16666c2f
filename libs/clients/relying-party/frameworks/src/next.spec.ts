import { expect, it } from '@jest/globals';
import { getIronSession } from 'iron-session';

import { CREATED, client, service, useScriptedService } from '../../../../../testkit/relying-party-client/scripted-client.js';
import { countersignLogin, type SealedSession } from './next.js';

useScriptedService();

const ORIGIN = 'https://shop.example';
const SUBJECT = { subjectId: '0f8fad5b-d9cb-469f-a165-70867728950e' };

/** A browser at a Next app whose routes are ours and whose session is that of iron-session, in the cookies that Next would give. */
const browser = () => {
  const cookies = new Map<string, string>();
  const store = {
    get: (name: string) => (cookies.has(name) ? { name, value: cookies.get(name)! } : undefined),
    set: (name: string, value: string) => cookies.set(name, value),
  };
  const session = async () =>
    getIronSession<SealedSession>(store as never, { cookieName: 'shop', password: 'a password of this test, 32 characters long' });
  const { GET, POST } = countersignLogin({ client, loginUrl: 'https://login.example', origin: ORIGIN, session });
  return {
    session,
    get: (path: string) => GET(new Request(`${ORIGIN}${path}`)),
    post: (path: string) => POST(new Request(`${ORIGIN}${path}`, { method: 'POST' })),
  };
};

it('logs a person in with the session of iron-session, and out', async () => {
  const { session, get, post } = browser();
  service.willAnswer({ status: 200, body: { ...CREATED, handoffToken: 'handoff' } }, { status: 200, body: SUBJECT });
  expect((await get('/login?returnTo=/account')).headers.get('location')).toBe('https://login.example/?t=handoff');
  const before = await session();
  Object.assign(before, { planted: true });
  await before.save();
  const { state } = (await session()).countersign!.pending!;
  const finished = await get(`/callback?code=abc&state=${state}`);
  expect([finished.status, finished.headers.get('location')]).toEqual([303, '/account']);
  expect({ ...(await session()) }).toEqual({ countersign: { person: SUBJECT } });
  await post('/logout');
  expect((await session()).countersign).toBeUndefined();
});

it('asks for its settings at the first request, not when a build loads the routes', async () => {
  let asked = 0;
  const { POST } = countersignLogin(() => {
    asked++;
    return { client, loginUrl: 'https://login.example', origin: ORIGIN, session: browser().session };
  });
  expect(asked).toBe(0);
  for (const path of ['/logout', '/logout/']) expect((await POST(new Request(ORIGIN + path, { method: 'POST' }))).status).toBe(303);
  expect(asked).toBe(1);
});

it('answers 404 to another path', async () => {
  expect((await browser().get('/elsewhere')).status).toBe(404);
});
