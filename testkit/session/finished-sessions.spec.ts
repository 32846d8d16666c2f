import { streamName } from '#engines/event-store';
import type { ClientId } from '#kernel';

import { storeFinishedSessions } from './finished-sessions.js';
import { useCaseFixture } from './use-case-fixture.js';

describe('sessions that are stored as finished', () => {
  it('read like logins that the service has carried out', async () => {
    const { eventStore, sessions, randomness, identityId } = useCaseFixture();
    const client = randomness.uuid<ClientId>();
    const ids = await storeFinishedSessions(eventStore, { count: 3, clients: [client], persons: [identityId], from: 1_000, every: 500, randomness });
    expect(new Set(ids).size).toBe(3);
    for (const [number, id] of ids.entries()) {
      const { state } = await sessions.history(id);
      expect(state).toMatchObject({ status: 'COMPLETED', createdAt: 1_000 + number * 500, terms: { clientId: client }, grant: { redeemed: true } });
      expect((await eventStore.read(streamName('session', id))).map(({ metadata }) => metadata?.['status'])).toEqual([
        'PENDING',
        'SCANNED',
        'CONFIRMED',
        'COMPLETED',
        'COMPLETED',
      ]);
    }
    await eventStore.close();
  });
});
