import { EventIds, NO_STREAM, streamName } from '#event-store';
import { type DeviceId, type DomainEvent, type IdentityId, Sealer } from '#kernel';
import { identityUseCases } from '#identity';
import { type TestPlatform, testPlatform } from '#platform/testing';
import { type Registration, relyingPartyUseCases } from '#relying-party';

import type { SessionEvent } from '../domain/session.events.js';

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

export interface SessionWorld {
  readonly platform: TestPlatform;
  readonly client: Registration;
  readonly other: Registration;
  readonly identityId: IdentityId;
  seal(sessionId: string, texts: Readonly<Record<string, string>>): string;
  /** Appends what happens elsewhere, on the phone say. */
  happens(sessionId: string, ...facts: readonly SessionEvent[]): Promise<void>;
  scan(sessionId: string): Promise<void>;
  confirm(sessionId: string): Promise<void>;
  /** The types of the stored events. */
  events(sessionId: string): Promise<readonly string[]>;
}

const TERMS = { redirectUris: [REDIRECT_URI], allowedAttributes: ['name', 'email'], allowedPredicates: ['ageOver*'], dynamicQr: false };

/** Two clients, one person, and a phone that acts by appending events: over a real store, on a clock that stands still. */
export const sessionWorld = async (): Promise<SessionWorld> => {
  const platform = await testPlatform();
  const { clock, eventStore, keys, randomness } = platform;
  const { registerClient } = relyingPartyUseCases(platform);
  const identityId = await identityUseCases(platform).registerIdentity.execute({
    givenName: 'Mari',
    familyName: 'Maasikas',
    personalCode: '47101010033',
    dateOfBirth: '1971-01-01',
    country: 'EE',
  });
  const streamOf = (sessionId: string) => streamName('session', sessionId);
  const sealer = new Sealer(keys.data, randomness);
  const seal = (sessionId: string, texts: Readonly<Record<string, string>>) => sealer.seal(texts, streamOf(sessionId));

  const happens = async (sessionId: string, ...facts: readonly SessionEvent[]): Promise<void> => {
    const stream = streamOf(sessionId);
    const ids = new EventIds(randomness);
    const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    await eventStore.append(stream, last?.revision ?? NO_STREAM, (facts as readonly DomainEvent[]).map((fact) => ({ ...fact, id: ids.next(stream) })));
  };
  const scan = (sessionId: string): Promise<void> => {
    const sealed = seal(sessionId, { relyingPartyName: 'Shop', toBeSigned: '', signatureAlgorithm: 'ES256' });
    return happens(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
  };

  return {
    platform,
    client: await registerClient.execute({ ...TERMS, name: 'Shop' }),
    other: await registerClient.execute({ ...TERMS, name: 'Other shop' }),
    identityId,
    seal,
    happens,
    scan,
    confirm: async (sessionId) => {
      await scan(sessionId);
      const at = clock.now();
      await happens(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
    },
    events: async (sessionId) => (await eventStore.read(streamOf(sessionId))).map(({ type }) => type),
  };
};
