import { streamName } from '#engines/event-store';

import { MARI } from '#testkit/identity/identity-fixture';
import { client, given, identity, identityId, useErasures } from '#testkit/identity/erasure/erasures';

useErasures();

describe('the proof of an erasure', () => {
  const proof = () => identity.proveErasure.execute(identityId);

  it('names who asked, the events, and every stream that answers no more', async () => {
    const { deviceId } = await identity.enrol(identityId);
    await identity.linkSubject.execute(client, identityId);
    const at = identity.clock.now();
    await identity.eraseIdentity.execute(identityId, 'administrator-1');
    identity.clock.advance(5);
    const { events, ...shown } = await proof();
    expect(shown).toEqual({
      identityId,
      state: 'SESSIONS_LEFT',
      erasedAt: at,
      erasedBy: 'administrator-1',
      checkedAt: at + 5,
      streams: [`identitydata-${identityId}`, `inbox-${identityId}`, `personlimits-${identityId}`, `device-${deviceId}`, `further-${identityId}`].map(
        (stream) => ({
          stream,
          readable: false,
        }),
      ),
      readModel: { listed: false, subjectIds: 0 },
    });
    expect(events.map(({ type, at: time }) => [type, time])).toEqual([
      ['IdentityErased', at],
      ['ErasureCompleted', at],
    ]);
    given.withoutSessions = [identityId];
    await identity.erasureReconciler().reconcile();
    expect(await proof()).toMatchObject({ state: 'ERASED', events: [{}, {}, { type: 'SessionsErased' }] });
  });

  it('shows what an interrupted erasure has left, and who began it after the reconciler has ended it', async () => {
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId, 'administrator-1')).rejects.toThrow('the process ends here');
    const interrupted = await proof();
    expect([interrupted.state, interrupted.streams[0]]).toEqual(['ERASING', { stream: `identitydata-${identityId}`, readable: true }]);
    await identity.replica().erasureReconciler().reconcile();
    expect(await proof()).toMatchObject({ erasedBy: 'administrator-1', streams: [{ readable: false }, {}, {}, {}] });
  });

  it('shows data that comes back', async () => {
    await identity.eraseIdentity.execute(identityId);
    await identity.store.append(streamName('further', identityId), 'no_stream', [{ type: 'Restored', data: {} }]);
    const { streams } = await proof();
    expect(streams.filter(({ readable }) => readable)).toEqual([{ stream: `further-${identityId}`, readable: true }]);
  });

  it('does not exist for a person who is registered or unknown', async () => {
    for (const id of [identityId, identity.randomness.uuid<typeof identityId>()])
      await expect(identity.proveErasure.execute(id)).rejects.toMatchObject({ code: 'identity_not_found' });
  });

  it('holds nothing of the person', async () => {
    await identity.eraseIdentity.execute(identityId);
    const text = JSON.stringify(await proof());
    for (const word of Object.values(MARI).filter((value) => value.length > 2)) expect(text).not.toContain(word);
  });
});
