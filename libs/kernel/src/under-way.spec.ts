import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

import { UnderWay } from './under-way.js';

const item = (name: string): { readonly name: string } => ({ name });

describe('items under way', () => {
  it('are those that have not left', () => {
    const items = new UnderWay();
    const [a, b, c] = [item('a'), item('b'), item('c')];
    const [, leaveB] = [a, b, c].map((one) => items.add(one));
    leaveB!();
    expect(new Set(items.all())).toEqual(new Set([a, c]));
  });

  it('leave once: a second call spares the item that has the place by then', () => {
    const items = new UnderWay();
    const [a, b] = [item('a'), item('b')];
    const leaveA = items.add(a);
    leaveA();
    items.add(b);
    leaveA();
    items.remove(a);
    expect(items.all()).toEqual([b]);
  });

  it('can be taken out by the item itself', () => {
    const items = new UnderWay();
    const [a, b] = [item('a'), item('b')];
    const leaveA = items.add(a);
    items.add(b);
    items.remove(a);
    leaveA();
    expect(items.all()).toEqual([b]);
  });

  it('are no old objects once they have left', () => {
    const program = join(import.meta.dirname, '../../../testkit/kernel/items-that-have-left.ts');
    const kept = JSON.parse(
      execFileSync(process.execPath, [...TYPESCRIPT_ARGUMENTS, '--expose-gc', '--max-semi-space-size=4', '--initial-heap-size=512', program], {
        encoding: 'utf8',
      }),
    ) as Record<'underWay' | 'set', number>;
    // A Set is counted beside them: where it keeps nothing any more, this class is not needed.
    expect(kept.set).toBeGreaterThan(50 * kept.underWay);
  });
});
