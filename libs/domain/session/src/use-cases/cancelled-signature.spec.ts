import { UnitOfWork } from '#engines/event-store';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import type { Device } from '#domain/identity';
import { type SessionId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import type { CancelSession } from '../domain/session.commands.js';
import { Sessions } from '../repositories/sessions.js';
import { confirmSessionOver } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';

describe.each(STORE_ENGINES)('a signature whose session is cancelled while it is verified, on $engine,', ({ open }) => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;
  beforeEach(async () => {
    fixture = useCaseFixture(await open(new FixedClock()));
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    await fixture.results.prepare(sessionId, { toBeSigned: 'dGV4dA==', manifest: '', signingTime: 0 });
  });
  afterEach(() => fixture.eventStore.close());

  const confirm = (whileVerifying: () => Promise<unknown>) => {
    const useCase = confirmSessionOver(fixture, {
      checkPin: { in: async () => ({ accepted: true }) },
      verifySignature: () => whileVerifying().then(() => 'c2lnbmF0dXJl'),
    });
    const device: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl' }, device);
  };
  const cancel = (by: CancelSession['by'], reason: CancelSession['reason']) => () =>
    new Sessions(new UnitOfWork(fixture.eventStore, fixture.clock)).handle(sessionId, { type: 'CancelSession', by, reason });

  it.each([
    ['by the client', () => cancel({ clientId: fixture.clientId }, 'WITHDRAWN')],
    ['by the phone', () => cancel({ deviceId: DEVICE }, 'DECLINED')],
  ])('%s, is not stored, nor anything of it', async (_, cancelled) => {
    await expect(confirm(cancelled())).rejects.toMatchObject({ code: 'session_expired' });
    expect(await fixture.results.find(sessionId)).toEqual({});
  });
});
