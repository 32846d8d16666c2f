import { checkSavedEntry, EntryRefused } from '#domain/administration';
import { HistoryRefused, type SignedCheckpoint } from '#engines/transparency-log';

import { anchoredRegistry } from './anchored-registry.fixture.js';
import { CLIENT, registryFixture } from './registry.fixture.js';

type Entry = Readonly<Record<string, unknown>> & { readonly sequence: number; readonly proof: Readonly<Record<string, unknown>> };

describe('the audit trail with proofs', () => {
  let anchored: Awaited<ReturnType<typeof anchoredRegistry>>;
  beforeAll(async () => {
    anchored = await anchoredRegistry();
  });
  afterAll(() => anchored.close());

  const change = async (): Promise<void> => {
    const { registry } = anchored;
    expect((await registry.call('POST', '/clients', { ...CLIENT, name: `Shop ${registry.platform.randomness.uuid()}` })).status).toBe(201);
  };
  const page = async (query = ''): Promise<{ entries: Entry[]; checkpoint: string; next?: number }> =>
    (await anchored.registry.call('GET', `/audit?proofs=true${query}`)).body as never;
  const opened = async (): Promise<{ readonly entries: Entry[]; readonly checkpoint: SignedCheckpoint }> => {
    const { entries, checkpoint } = await page();
    return { entries, checkpoint: anchored.published.open(checkpoint) };
  };

  it('has no proof before the first checkpoint, and says so of each entry', async () => {
    await change();
    const { entries, checkpoint } = await page();
    expect(checkpoint).toBeUndefined();
    expect(entries.map(({ proof }) => proof)).toEqual([{ state: 'PENDING' }, { state: 'PENDING' }]);
  });

  it('proves each entry, word for word, by the public key alone', async () => {
    await anchored.publish();
    await change();
    await change();
    await anchored.publish();
    const { entries, checkpoint } = await opened();
    expect(entries.map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1, 0]);
    for (const entry of entries) expect(checkSavedEntry(entry, checkpoint)).toEqual({ sequence: entry.sequence, state: 'PROVEN' });
  });

  it('says of an entry that it is younger than the checkpoint, and proves it after the next one', async () => {
    await change();
    const before = await opened();
    expect(before.entries.slice(0, 3).map((entry) => checkSavedEntry(entry, before.checkpoint).state)).toEqual(['PENDING', 'PENDING', 'PROVEN']);
    await anchored.publish();
    const after = await opened();
    expect(after.entries.map((entry) => checkSavedEntry(entry, after.checkpoint).state)).toEqual(Array(after.entries.length).fill('PROVEN'));
  });

  it('proves entries of an older page by the newest checkpoint', async () => {
    const { entries, checkpoint } = await page('&limit=2&after=3');
    expect(entries.map(({ sequence }) => sequence)).toEqual([2, 1]);
    const newest = anchored.published.open(checkpoint);
    expect(newest.size).toBe(anchored.guard.known.size);
    for (const entry of entries) expect(checkSavedEntry(entry, newest).state).toBe('PROVEN');
  });

  it('refuses an entry that says something else, or has the proof of another one', async () => {
    const { entries, checkpoint } = await opened();
    const [first, second] = entries as [Entry, Entry];
    const refused = (saved: object): Error => {
      try {
        checkSavedEntry(saved, checkpoint);
      } catch (error) {
        return error as Error;
      }
      throw new Error(`passed: ${JSON.stringify(saved)}`);
    };
    const data = String(first.proof['data']);
    const altered = [
      { ...first, actor: 'another' },
      { ...first, status: 204 },
      { ...first, at: Number(first['at']) + 1 },
      { ...first, more: 'than was published' },
      { ...first, phase: 'BEGUN' },
      { ...first, sequence: second.sequence },
      { ...first, proof: second.proof },
      { ...first, proof: { ...first.proof, data: data.replace('first-start', 'other-actor') } },
      { ...first, proof: { ...first.proof, data: undefined } },
      { ...first, proof: { ...first.proof, leafIndex: 'x' } },
      { ...first, proof: { ...first.proof, hashes: 'x' } },
      { ...first, proof: undefined },
      { ...first, sequence: undefined },
      {},
    ];
    expect(data).toContain('first-start');
    for (const saved of altered) expect(refused(saved)).toBeInstanceOf(EntryRefused);
    const leaf = String(first.proof['leaf']);
    const hashes = first.proof['hashes'] as string[];
    const unproven = [
      { ...first, proof: { ...first.proof, leafIndex: Number(first.proof['leafIndex']) - 1 } },
      // Without the hash of the data the content would not be checked.
      { ...first, proof: { ...first.proof, leaf: leaf.slice(0, leaf.lastIndexOf(' ')) } },
      { ...first, proof: { ...first.proof, hashes: hashes.slice(1) } },
      { ...first, proof: { ...first.proof, hashes: ['AAAA', ...hashes.slice(1)] } },
    ];
    for (const saved of unproven) expect(refused(saved)).toBeInstanceOf(HistoryRefused);
  });

  it('takes no other value of the parameter, and has no proofs without it', async () => {
    expect((await anchored.registry.call('GET', '/audit?proofs=yes')).status).toBe(400);
    for (const path of ['/audit', '/audit?proofs=false']) {
      const { body } = await anchored.registry.call('GET', path);
      expect([body['checkpoint'], (body['entries'] as object[]).filter((entry) => 'proof' in entry)]).toEqual([undefined, []]);
    }
  });
});

it('the audit trail has no proofs where no checkpoints are made', async () => {
  const registry = await registryFixture();
  await registry.call('POST', '/clients', CLIENT);
  const { body } = await registry.call('GET', '/audit?proofs=true');
  expect([body['checkpoint'], (body['entries'] as object[]).filter((entry) => 'proof' in entry)]).toEqual([undefined, []]);
  await registry.close();
});
