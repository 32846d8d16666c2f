import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { EventIds, NO_STREAM, streamName } from '#event-store';
import { type DeviceId, type DomainEvent, type IdentityId, Sealer, type SessionId } from '#kernel';
import { identityUseCases } from '#identity';
import { type TestPlatform, testPlatform } from '#platform/testing';
import { relyingPartyUseCases } from '#relying-party';
import type { SessionEvent } from '#session';

import { createSessionApiApp } from '../src/app.js';

/** RFC 7636 appendix B. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const REDIRECT_URI = 'https://rp.example/callback?tenant=1';

export const DEVICE = '00000000-0000-4000-8000-00000000d001' as DeviceId;

export const LOGIN = {
  redirect_uri: REDIRECT_URI,
  state: 'state of the client',
  signature_type: 'AUTHENTICATION',
  code_challenge: CODE_CHALLENGE,
  code_challenge_method: 'S256',
} as const;

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

/** The session API over a store of its own, with one client that may call it, and one person. */
export const sessionApiFixture = async (environment: Record<string, string> = {}) => {
  const platform: TestPlatform = await testPlatform(environment);
  const app: NestFastifyApplication = await createSessionApiApp(platform);
  const { registerClient } = relyingPartyUseCases(platform);
  const terms = {
    redirectUris: [REDIRECT_URI],
    allowedAttributes: ['name', 'email'],
    allowedPredicates: ['ageOver*'],
    dynamicQr: false,
  };
  const client = await registerClient.execute({ ...terms, name: 'Shop' });
  const other = await registerClient.execute({ ...terms, name: 'Other shop' });
  const identityId: IdentityId = await identityUseCases(platform).registerIdentity.execute({
    givenName: 'Mari',
    familyName: 'Maasikas',
    personalCode: '47101010033',
    dateOfBirth: '1971-01-01',
    country: 'EE',
  });

  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, headers: Record<string, string> = {}, by = client): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: `/relying-party/v1${path}`,
      headers: { authorization: `Basic ${btoa(`${by.clientId}:${by.clientSecret.reveal()}`)}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : (answer.json() as Record<string, unknown>), headers: answer.headers };
  };

  const stream = (sessionId: string) => streamName('session', sessionId);
  const events = async (sessionId: string) => (await platform.eventStore.read(stream(sessionId))).map(({ type }) => type);

  /** Appends what happens elsewhere, on the phone say. */
  const happens = async (sessionId: string, ...facts: SessionEvent[]): Promise<void> => {
    const ids = new EventIds(platform.randomness);
    const last = (await platform.eventStore.read(stream(sessionId), { direction: 'backwards', limit: 1 })).at(0);
    const append = (facts as DomainEvent[]).map((fact) => ({ ...fact, id: ids.next(stream(sessionId)) }));
    await platform.eventStore.append(stream(sessionId), last?.revision ?? NO_STREAM, append);
  };

  const seal = (sessionId: string, value: Record<string, string>) => new Sealer(platform.keys.data, platform.randomness).seal(value, stream(sessionId));
  const scan = (sessionId: string) =>
    happens(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed: seal(sessionId, {}), at: platform.clock.now() } });
  const confirm = async (sessionId: string) => {
    await scan(sessionId);
    const at = platform.clock.now();
    await happens(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
  };

  return {
    platform,
    app,
    client,
    other,
    identityId,
    call,
    events,
    happens,
    scan,
    confirm,
    create: async (body: Record<string, unknown> = LOGIN): Promise<SessionId> => (await call('POST', '/session', body)).body.sessionId as SessionId,
    /** A confirmed and completed login, and its code. */
    login: async (body: Record<string, unknown> = LOGIN) => {
      const { sessionId } = (await call('POST', '/session', body)).body as { sessionId: string };
      await confirm(sessionId);
      const { redirect } = (await call('POST', `/session/${sessionId}/completion`)).body as { redirect: string };
      return { sessionId, redirect, code: new URL(redirect).searchParams.get('code') ?? '' };
    },
    close: async () => {
      platform.stop();
      await app.close();
      await platform.close();
    },
  };
};
