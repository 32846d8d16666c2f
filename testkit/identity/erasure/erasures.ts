import { type ClientId, type IdentityId } from '#kernel';
import { history, NO_STREAM, type StreamName, streamName } from '#engines/event-store';

import { identityFixture, MARI } from '../identity-fixture.js';

export const client = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;

export let identity: ReturnType<typeof identityFixture>;
export let identityId: IdentityId;

/** Tests change these values. */
export const given = {
  /** How often the further step still fails. */
  failures: 0,
  /** The persons whose sessions are erased. */
  withoutSessions: [] as IdentityId[],
  /** The persons for whom the late step has run. */
  late: [] as IdentityId[],
};

/** Each test of the file gets a registered person and a further step of the erasure. */
export const useErasures = (): void => {
  beforeEach(async () => {
    given.failures = 0;
    given.withoutSessions = [];
    given.late = [];
    const interrupt = async () => {
      if (given.failures-- > 0) throw new Error('the process ends here');
    };
    identity = identityFixture(':memory:', {
      steps: [interrupt],
      late: [async (erased) => void given.late.push(erased)],
      sessions: async () => new Set(given.withoutSessions),
    });
    await registerClient();
    identityId = await identity.registerIdentity.execute(MARI);
  });
  afterEach(() => identity.close());
};

export const registerClient = async () => {
  const stream = streamName('client', client);
  await identity.store.append(stream, NO_STREAM, [{ type: 'ClientRegistered', data: {} }]);
};
export const serialOf = (certificate: Buffer): string => String(certificate).slice('certificate '.length);
/** Type and data of every event that reads of the category's streams show. */
export const dataIn = async (category: string): Promise<(readonly [string, unknown])[]> => {
  const streams = new Set<StreamName>();
  for await (const { stream } of history(identity.store, [category])) streams.add(stream);
  const events = await Promise.all([...streams].map((stream) => identity.store.read(stream)));
  return events.flat().map(({ type, data }) => [type, data] as const);
};
export const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);
