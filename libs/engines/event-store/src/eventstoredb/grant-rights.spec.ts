import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';

import { NO_STREAM, streamName } from '../event-store.js';
import { grantRights } from './grant-rights.js';
import { openEventStoreDb } from './open-eventstoredb.js';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';

describe('the rights of the services in EventStoreDB', () => {
  let secured: SecuredTestServer;
  beforeAll(async () => {
    secured = await SecuredTestServer.start();
  });
  afterAll(() => secured[Symbol.asyncDispose]());

  const grant = (user: 'admin' | 'app', password: string, role = 'services') =>
    grantRights({ connectionString: secured.connectionString(), credentials: { username: user, password }, role });
  const open = (user: 'app' | 'ops') =>
    openEventStoreDb({ connectionString: secured.connectionString(user), clock: new SystemClock(), randomness: new SystemRandomness() });
  /** Appends and subscribes as a service does. */
  const works = async (user: 'app' | 'ops'): Promise<string> => {
    const store = await open(user);
    const ended = new AbortController();
    try {
      await store.append(streamName('thing', new SystemRandomness().uuid()), NO_STREAM, [{ type: 'Made', data: {} }]);
      for await (const item of store.subscribe({ categories: ['thing'], signal: AbortSignal.any([ended.signal, AbortSignal.timeout(20_000)]) }))
        if (item !== 'caught-up') return 'works';
      return 'silent';
    } catch (error) {
      return (error as { readonly reason?: string }).reason ?? String(error);
    } finally {
      ended.abort();
      await store.close();
    }
  };

  it('are given by an administrator alone, with the right password', async () => {
    await expect(grant('app', 'app secret')).rejects.toMatchObject({ type: 'access-denied' });
    await expect(grant('admin', 'wrong')).rejects.toMatchObject({ type: 'access-denied' });
  });

  it('let a user of the role work, and shut every other user out; they may be given again', async () => {
    for (let time = 0; time < 2; time++) await grant('admin', 'changeit');
    expect(await works('app')).toBe('works');
    expect(await works('ops')).toMatch(/rights|denied/i);
  });

  it('are given to another role, and taken from the former one', async () => {
    await grant('admin', 'changeit', 'others');
    expect(await works('app')).toMatch(/rights|denied/i);
    await grant('admin', 'changeit');
    expect(await works('app')).toBe('works');
  });
});
