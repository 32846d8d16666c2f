import { verifierText } from '#engines/transparency-log';
import { checkPublishedLog } from '#testkit/programs/tlog-check/tlog-check';

import { anchoredRegistry } from './anchored-registry.fixture.js';
import { CLIENT } from './registry.fixture.js';

/** What the API answers, read by the programs of Go's checksum database, which share no code with ours. */
describe('the proofs of the audit trail, read by golang.org/x/mod/sumdb', () => {
  let anchored: Awaited<ReturnType<typeof anchoredRegistry>>;
  let page: { readonly checkpoint: string; readonly entries: readonly Readonly<Record<string, unknown>>[] };

  beforeAll(async () => {
    anchored = await anchoredRegistry();
    const { registry, publish } = anchored;
    for (let round = 0; round < 3; round++) {
      await registry.call('POST', '/clients', { ...CLIENT, name: `Shop ${round}` });
      await publish();
    }
    page = (await registry.call('GET', '/audit?proofs=true')).body as never;
  });
  afterAll(() => anchored.close());

  const check = (changed: object): string => checkPublishedLog(anchored.folder, verifierText(anchored.verifier), { pages: [changed] });

  it('lead to the signed checkpoint, and hold the data of the entries', () => {
    expect(page.entries).toHaveLength(6);
    expect(check(page)).toMatch(new RegExp(`^${anchored.guard.known.size} `));
  });

  it('are refused with the proof, the data or the sequence of another entry, and with another checkpoint', () => {
    const [first, second, ...others] = page.entries as [Record<string, object>, Record<string, object>];
    const withFirst = (entry: object): object => ({ ...page, entries: [entry, second, ...others] });
    expect(check(withFirst(first))).toMatch(/^\d+ /);
    expect(() => check(withFirst({ ...first, proof: second['proof'] }))).toThrow('another one');
    expect(() => check(withFirst({ ...first, proof: { ...first['proof'], data: '{}' } }))).toThrow('another one');
    expect(() => check(withFirst({ ...first, proof: { ...first['proof'], leafIndex: 0 } }))).toThrow(/entry 5/);
    expect(() => check({ ...page, checkpoint: page.checkpoint.replace('\n', '\n1') })).toThrow();
  });
});
