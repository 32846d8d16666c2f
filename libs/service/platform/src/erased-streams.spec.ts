import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, StreamTombstoned } from '#engines/event-store';
import { testPlatform, type TestPlatform } from '#testkit/platform/test-platform';

import { STREAMS } from './streams.js';

const PERSON = { givenName: 'Mari', familyName: 'Maasikas', dateOfBirth: '1971-01-01', country: 'EE', personalCode: '47101010033' };

/** The streams of persons that an erasure leaves, and why. */
const LEFT: Readonly<Record<string, string>> = {
  identity: 'holds no personal data, and says that the person was erased',
  portallogins: 'ids of sessions of the portal, which their age erases within a day',
  sandboxphone: 'of the sandbox, whose persons are invented',
};

const OF_PERSONS = STREAMS.filter(({ terms }) => terms.ids.includes('<identityId>'));

let platform: TestPlatform;
beforeEach(async () => {
  platform = await testPlatform();
});
afterEach(async () => {
  platform.stop();
  await platform.close();
});

describe('the streams of one person each', () => {
  it('are tombstoned by the erasure as they are declared, apart from those with a reason', () => {
    const left = OF_PERSONS.filter(({ terms }) => terms.retention?.tombstoned === undefined).map(({ category }) => category);
    expect(left.toSorted()).toEqual(Object.keys(LEFT).toSorted());
  });

  it('are all in the proof of an erasure that are declared to be tombstoned', async () => {
    const { registerIdentity } = platform.useCases.identity();
    const { eraseIdentity, proveErasure } = platform.useCases.erasures();
    const identityId = await registerIdentity.execute(PERSON);
    await eraseIdentity.execute(identityId);
    const { streams } = await proveErasure.execute(identityId);
    const declared = OF_PERSONS.filter(({ category }) => !(category in LEFT)).map((one) => one.of(identityId));
    expect(declared.length).toBeGreaterThan(5);
    expect(streams.map(({ stream }) => stream).toSorted()).toEqual(declared.toSorted());
    for (const stream of declared) {
      const late = platform.eventStore.append(stream, NO_STREAM, [{ type: 'Late', data: {} }]);
      await expect(late).rejects.toBeInstanceOf(StreamTombstoned);
    }
  });
});
