import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { type EventStore, NO_STREAM, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { openDataDirectory } from '#testkit/platform/open-data-directory';

import { Refusal, Unavailable, UsageFailure } from '../src/failures.js';
import { askBreakGlass, useBreakGlass } from '../src/store/break-glass.js';

const STREAM = streamName('breakglass', 'all');
const clock = new SystemClock();
const person = new SystemRandomness().uuid<string>();

let folder: string;
const settings = () => loadPlatformSettings({ DATA_DIR: folder });
/** Lets a process hold the store, as a service does. */
const withStore = async <Answer>(work: (store: EventStore) => Promise<Answer>): Promise<Answer> => {
  const store = await openDataDirectory(folder, clock);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'break-glass-'));
  await withStore((store) => store.append(streamName('identity', person), NO_STREAM, [{ type: 'IdentityRegistered', data: { at: clock.now() } }]));
});
afterEach(() => rm(folder, { recursive: true }));

describe('break-glass, of a stopped service', () => {
  it('asks once, and prints links for the named person when a running service has let the waiting time pass', async () => {
    await askBreakGlass(person, settings());
    await expect(askBreakGlass(person, settings())).rejects.toThrow(Refusal);
    await expect(useBreakGlass(person, settings())).rejects.toThrow(Refusal);
    await withStore(async (store) => {
      const [asked] = await store.read(STREAM);
      const { requestId } = asked!.data as { requestId: string };
      await store.append(STREAM, 0, [
        { type: 'BreakGlassNoticed', data: { at: clock.now(), requestId } },
        { type: 'BreakGlassOpened', data: { at: clock.now(), requestId } },
      ]);
    });
    const { invitationLink, activationLink } = await useBreakGlass(person, settings());
    expect([invitationLink, activationLink]).toEqual([
      expect.stringMatching(/^http:\/\/localhost:3000\/portal\/#invitation=\S{43}$/),
      expect.stringMatching(/^http:\/\/localhost:3000\/phone\/#activate=\S+$/),
    ]);
    await expect(useBreakGlass(person, settings())).rejects.toThrow(Refusal);
    const stored = await withStore(async (store) => {
      const events = [...(await store.read(STREAM)), ...(await store.read(streamName('audit', 'log')))];
      return JSON.stringify(events.map(({ data }) => data));
    });
    expect(stored).toContain('break-glass use');
    expect(stored).not.toContain(invitationLink.split('=')[1]);
  });

  it('is refused for a person who is not registered, and for what is no id', async () => {
    await expect(askBreakGlass(new SystemRandomness().uuid<string>(), settings())).rejects.toThrow(Refusal);
    await expect(askBreakGlass('Mari Maasikas', settings())).rejects.toThrow(UsageFailure);
  });
});

it('break-glass, of a running service, says that another process holds the file', async () => {
  await withStore(() => expect(askBreakGlass(person, settings())).rejects.toThrow(Unavailable));
});
