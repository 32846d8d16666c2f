import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkPublishedLog, type Proofs } from '#testkit/programs/tlog-check/tlog-check';
import { AnchoredStore, SIGNER } from '#testkit/transparency-log/anchored-store';

import { KnownLeaves } from './known-leaves.js';
import { loadLeaves } from './open-history.js';
import { verifierText } from './signed-note.js';

/** What is published, read by the programs of Go's checksum database, which share no code with ours. */
describe('the published history, read by golang.org/x/mod/sumdb', () => {
  const key = verifierText(SIGNER.verifier);
  let anchored: AnchoredStore;
  let known: KnownLeaves;
  let texts: string[];

  beforeAll(async () => {
    anchored = new AnchoredStore();
    for (const count of [1, 254, 3, 300]) {
      await anchored.append('right', 'a', Array<string>(count).fill('GuardedGrant'));
      await anchored.writer().write(new AbortController().signal);
    }
    const log = anchored.logs()[0]!;
    const checkpoint = await log.newest();
    known = new KnownLeaves();
    await loadLeaves(known, { log, checkpoint });
    texts = [];
    for await (const bundle of log.leaves(0, known.size)) texts.push(...bundle);
  });
  afterAll(async () => {
    await anchored.sqlite.close();
    anchored[Symbol.dispose]();
  });

  const base64 = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('base64'));
  const rootOf = (size: number): string => known.tree.root(size).toString('base64');
  const inclusion = (index: number, size: number) => ({
    index,
    size,
    root: rootOf(size),
    leaf: texts[index]!,
    proof: base64(known.tree.inclusionProof(index, size)),
  });
  const consistency = (from: number, size: number) => ({
    from,
    fromRoot: rootOf(from),
    size,
    root: rootOf(size),
    proof: base64(known.tree.consistencyProof(from, size)),
  });
  const check = (proofs: Proofs = {}): string => checkPublishedLog(anchored.folders[0]!, key, proofs);

  it('has the signature, the size and the root that it says', () => {
    expect(check()).toBe(`558 ${rootOf(558)}`);
  });

  it('has proofs of inclusion and of consistency', () => {
    const sizes = [1, 2, 3, 255, 256, 257, 512, 558];
    const pairs = sizes.flatMap((size) => sizes.filter((other) => other <= size).map((other) => [other, size] as const));
    const proofs = {
      inclusion: pairs.map(([count, size]) => inclusion(count - 1, size)),
      consistency: pairs.map(([from, size]) => consistency(from, size)),
    };
    expect(proofs.inclusion).toHaveLength(36);
    expect(check(proofs)).toContain('558 ');
  });

  it('is refused with another leaf, another root or another key', () => {
    expect(() => check({ inclusion: [{ ...inclusion(4, 100), leaf: texts[5]! }] })).toThrow();
    expect(() => check({ consistency: [{ ...consistency(4, 100), fromRoot: rootOf(5) }] })).toThrow();
    expect(() => checkPublishedLog(anchored.folders[0]!, key.replace('countersign', 'countersing'))).toThrow();
    const path = join(anchored.folders[0]!, 'tile/entries/000');
    const bundle = readFileSync(path, 'latin1');
    writeFileSync(path, bundle.replace('GuardedGrant', 'GuardedOther'), 'latin1');
    expect(() => check()).toThrow();
    writeFileSync(path, bundle, 'latin1');
    expect(check()).toContain('558 ');
  });
});
