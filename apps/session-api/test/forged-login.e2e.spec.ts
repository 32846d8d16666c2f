import { streamName } from '#engines/event-store';
import { eventMacs } from '#service/platform';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { sessionFixture } from '#testkit/platform/session-fixture';

import { sessionApiFixture } from './session-api.fixture.js';

// Without MACs, these two events with the victim's identity would give a subjectId and a name without any phone.
describe.each(STORE_ENGINES)('a login that was written into the event store, on $engine', ({ open }) => {
  it('gives no status, no code and no subjectId, and raises an alarm', async () => {
    const clock = new FixedClock();
    const store = await open(clock);
    const refused: string[] = [];
    const macs = eventMacs(EVENT_RING, 'test');
    const eventStore = authenticated(store, { macs, shortened: () => 'truncated', refused: ({ reason }) => refused.push(reason) });
    const api = await sessionApiFixture(await sessionFixture({ clock, eventStore }));
    try {
      const sessionId = await api.create();
      const at = clock.now();
      const forged = [
        { type: 'SessionScanned', data: { deviceId: 'x', identityId: api.identityId, sealed: 'x', at } },
        { type: 'SessionConfirmed', data: { signature: 'x', codeExpiresAt: at + 60_000, at } },
      ];
      await store.append(streamName('session', sessionId), 0, forged);
      const answers = [await api.call('GET', `/session/${sessionId}/status`), await api.call('POST', `/session/${sessionId}/completion`)];
      for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { errorCode: 'service_unavailable' } });
      expect(refused).toContain(`session-${sessionId} is refused: an event has no MAC, revision 1`);
    } finally {
      await api.close();
    }
  });
});
