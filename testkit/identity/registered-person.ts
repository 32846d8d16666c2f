import { type IdentityId } from '#kernel';
import { streamName } from '#engines/event-store';

import { identityFixture, MARI } from './identity-fixture.js';

export let identity: ReturnType<typeof identityFixture>;
export let identityId: IdentityId;

/** Each test of the file gets an empty store and a registered person. */
export const usePerson = (): void => {
  beforeEach(async () => {
    identity = identityFixture();
    identityId = await identity.registerIdentity.execute(MARI);
  });
  afterEach(() => identity.close());
};

export const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);
