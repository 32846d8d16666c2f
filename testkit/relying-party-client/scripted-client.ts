import { afterEach, beforeEach, expect } from '@jest/globals';

import { RelyingPartyClient, type RelyingPartyClientOptions } from '#clients/relying-party';
import { ScriptedService } from './scripted-service.js';

export const CLIENT_ID = '7f3c9a52-1f0e-4f57-9a44-2b8f3f0b6c11';
export const CLIENT_SECRET = 'sëcret-of-the-client';
export const SESSION_ID = '0b9f2c1e-61ac-4a07-8a3f-7a4f0a3c9e55';
export const SUBJECT_ID = '5e2b7c90-3d1f-8a6b-9c4e-1f2a3b4c5d6e';
export const CREATED = { sessionId: SESSION_ID, expiresAt: 1_900_000_120, pushStatus: 'NOT_REQUESTED' };
export const PENDING = { status: 200, body: { status: 'PENDING', expiresAt: 1_900_000_120 } };
export const SCANNED = { status: 200, body: { status: 'SCANNED', expiresAt: 1_900_000_120 } };
export const CONFIRMED = { status: 200, body: { status: 'CONFIRMED' } };
export const HELD = { headers: { 'preference-applied': 'wait=25' } };

export let service: ScriptedService;
export let pauses: number[];
export let client: RelyingPartyClient;

export const clientWith = (options: Partial<RelyingPartyClientOptions> = {}): RelyingPartyClient =>
  new RelyingPartyClient({
    baseUrl: service.baseUrl,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    pause: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      pauses.push(milliseconds);
    },
    ...options,
  });

export const caught = async <Refusal>(call: Promise<unknown>, type: new (...parts: never[]) => Refusal): Promise<Refusal> => {
  const error = await call.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(type);
  return error as Refusal;
};

/** Each test of the file gets a scripted service and a client of it. */
export const useScriptedService = (): void => {
  beforeEach(async () => {
    service = await ScriptedService.start();
    pauses = [];
    client = clientWith();
  });

  afterEach(() => service.stop());
};
