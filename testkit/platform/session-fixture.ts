import type { StoreEngine } from '#testkit/event-store/store-engines';
import type { IdentityId } from '#kernel';
import { type Registration } from '#domain/relying-party';
import { REDIRECT_URI } from '#testkit/session/login-request';
import { type SessionHistory, sessionHistory } from '#testkit/session/session-history';

import { type TestPlatform, testPlatform } from './test-platform.js';

export interface SessionFixture extends SessionHistory {
  readonly platform: TestPlatform;
  readonly client: Registration;
  readonly other: Registration;
  readonly identityId: IdentityId;
}

const TERMS = { redirectUris: [REDIRECT_URI], allowedAttributes: ['name', 'email'], allowedPredicates: ['ageOver*'], dynamicQr: false };

/** Two clients, one person, and a phone that acts by appending events: over a real store ({@link testPlatform}), on a clock that stands still. */
export const sessionFixture = async (
  overrides: Partial<TestPlatform> = {},
  environment: Readonly<Record<string, string>> = {},
  openStore?: StoreEngine['open'],
): Promise<SessionFixture> => {
  const platform = await testPlatform(environment, overrides, openStore);
  const { registerClient } = platform.useCases.relyingParties();
  const identityId = await platform.useCases.identity().registerIdentity.execute({
    givenName: 'Mari',
    familyName: 'Maasikas',
    personalCode: '47101010033',
    dateOfBirth: '1971-01-01',
    country: 'EE',
  });
  return {
    ...sessionHistory({ ...platform, identityId }),
    platform,
    client: await registerClient.execute({ ...TERMS, name: 'Shop' }),
    other: await registerClient.execute({ ...TERMS, name: 'Other shop' }),
    identityId,
  };
};
