import { describe, expect, it } from '@jest/globals';

import { type ClientId, type IdentityId, Secret, SystemClock, SystemRandomness } from '#kernel';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';
import { eventually } from '#testkit/kernel/eventually';
import { NO_STREAM, UnitOfWork } from '#engines/event-store';
import { LostWrite } from '#testkit/event-store/eventstoredb/lost-write';
import { useStoreOnCluster } from '#testkit/event-store/eventstoredb/store-on-cluster';
import { untilAvailable } from '#testkit/event-store/eventstoredb/until-available';

import { SubjectIds } from '../domain/subject-ids.js';
import { Identities } from '../repositories/identities.js';
import { subjectStream } from '../streams.js';
import { SubjectLinks } from '../repositories/subject-links.js';
import { LinkSubject } from './link-subject.js';

describe('the link of a subjectId, given a conflict that a failover takes away', () => {
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  const subjectIds = new SubjectIds(new OneSubjectKey({ id: 'one', key: new Secret(Buffer.alloc(32, 1)) }), 'test');
  const shared = useStoreOnCluster(clock, randomness);

  it('is stored when the client learns the subjectId', async () => {
    const { cluster, store } = shared;
    const identities = new Identities(store, new UnitOfWork(store, clock));
    const links = new SubjectLinks(new UnitOfWork(store, clock), subjectIds);
    const linkSubject = new LinkSubject(links, identities);
    const clientId = randomness.uuid<ClientId>();
    const identityId = randomness.uuid<IdentityId>();
    await untilAvailable(() => identities.handle(identityId, () => ({ type: 'RegisterIdentity', now: clock.now() })));
    const subjectId = subjectIds.of(clientId, identityId);
    // The other process links the same; only the store's answer tells whether the link is there.
    const data = { at: clock.now(), clientId, identityId };
    const lost = await LostWrite.on(cluster, { stream: subjectStream(subjectId), expected: NO_STREAM, type: 'SubjectLinked', data });
    const answers: string[] = [];
    const linking = eventually(
      () =>
        linkSubject.execute(clientId, identityId).then(
          (answer) => answers.push(answer) > 0,
          () => false,
        ),
      { what: 'the client learns the subjectId', within: 60_000 },
    );
    await lost.refusesOthers();
    expect(answers).toEqual([]);
    await lost.failOver();
    await cluster.restart(lost.leader);
    await linking;
    expect(answers).toEqual([subjectId]);
    expect(await untilAvailable(() => links.find(subjectId))).toMatchObject({ clientId, identityId });
  }, 120_000);
});
