import type { AuditEntry } from '#domain/administration';
import type { IdentityId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { MemoryErasureList } from '#testkit/identity/memory-erasure-list';
import { testPlatform, type TestPlatform } from '#testkit/platform/test-platform';

import { registryFixture } from './registry.fixture.js';

let platform: TestPlatform;
let list: MemoryErasureList;
let registry: Awaited<ReturnType<typeof registryFixture>>;
let identityId: IdentityId;
beforeEach(async () => {
  list = new MemoryErasureList();
  platform = await testPlatform({}, { erasureList: list });
  registry = await registryFixture(platform);
  identityId = (await registry.identity()) as IdentityId;
});
afterEach(() => registry.close());

const newEntries = async (): Promise<readonly Partial<AuditEntry>[]> => {
  const { body } = await registry.call('GET', '/audit');
  return (body['entries'] as readonly AuditEntry[]).filter(({ actor }) => actor === 'list-of-erasures');
};
const isRegistered = async (): Promise<boolean> => (await registry.call('GET', `/identities/${identityId}/devices`)).status === 200;
/** The registry reads the list every 30 seconds of its clock. */
const nextRound = (): void => platform.clock.advance(30_000);

describe('an erasure to which the list of erasures leads', () => {
  it('is on the audit trail, before it takes effect and after it', async () => {
    await list.add(identityId, 1_000);
    nextRound();
    await eventually(async () => (await newEntries()).length === 2, { what: 'the entries of the erasure' });
    const change = { actor: 'list-of-erasures', role: 'list', action: 'erase again', target: { identityId } };
    expect(await newEntries()).toMatchObject([
      { ...change, phase: 'ENDED', status: 200 },
      { ...change, phase: 'BEGUN' },
    ]);
    expect(await isRegistered()).toBe(false);
  });
});

describe('a fault of the list of erasures', () => {
  it('is counted, and erases no person', async () => {
    const person = { identityId, erasedAt: 1 };
    list.faults = [
      { ...person, reason: 'unsigned', place: 'line 1' },
      { ...person, reason: 'forged', place: 'line 2' },
      { ...person, reason: 'forged', place: 'line 3' },
    ];
    nextRound();
    const counted = async () => (await platform.metrics.erasureListFaults.get()).values.map(({ labels, value }) => [labels['reason'], value]);
    await eventually(async () => (await counted()).length === 2, { what: 'the faults are counted' });
    expect(await counted()).toEqual([
      ['unsigned', 1],
      ['forged', 2],
    ]);
    expect([await isRegistered(), await newEntries()]).toEqual([true, []]);
  });
});
