import { describe, expect, it } from '@jest/globals';

import { Sealer, Secret, type SessionId, SystemClock, SystemRandomness } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { eventually } from '#testkit/kernel/eventually';
import { streamName } from '#engines/event-store';
import { LostWrite } from '#testkit/event-store/eventstoredb/lost-write';
import { useStoreOnCluster } from '#testkit/event-store/eventstoredb/store-on-cluster';
import { untilAvailable } from '#testkit/event-store/eventstoredb/until-available';

import { LIFETIMES } from '../domain/lifetimes.js';
import { SigningResults } from './signing-results.js';

const STATEMENT = { toBeSigned: 'Ynl0ZXM=', manifest: 'bWFuaWZlc3Q=', signingTime: 1 };

describe('the result of a signature, given a conflict that a failover takes away', () => {
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  const sealer = new Sealer(new StaticKeyRing([{ id: 'data', key: new Secret(Buffer.alloc(32, 1)) }]), randomness);
  const shared = useStoreOnCluster(clock, randomness);

  it('keeps the signature of the process that answers, and not the lost one', async () => {
    const { cluster, store } = shared;
    const results = new SigningResults(store, sealer, LIFETIMES, clock);
    const sessionId = randomness.uuid<SessionId>();
    await untilAvailable(() => results.prepare(sessionId, STATEMENT));
    const stream = streamName('result', sessionId);
    const data = { sealed: sealer.seal('the lost signature', stream), at: clock.now() };
    const lost = await LostWrite.on(cluster, { stream, expected: 0, type: 'SignatureVerified', data });
    let isStored = false;
    const signing = eventually(
      () =>
        results.sign(sessionId, 'my signature').then(
          () => (isStored = true),
          () => false,
        ),
      { what: 'the signature is stored', within: 60_000 },
    );
    await lost.refusesOthers();
    expect(isStored).toBe(false);
    await lost.failOver();
    await cluster.restart(lost.leader);
    await signing;
    expect(await untilAvailable(() => results.find(sessionId))).toEqual({ statement: STATEMENT, signature: 'my signature' });
  }, 120_000);
});
