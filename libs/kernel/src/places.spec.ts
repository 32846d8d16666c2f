import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

import { Places } from './places.js';

const item = (name: string): { readonly name: string } => ({ name });

describe('places', () => {
  it('have the items that have not left', () => {
    const places = new Places();
    const [a, b, c] = [item('a'), item('b'), item('c')];
    const [, leaveB] = [a, b, c].map((one) => places.add(one));
    leaveB!();
    expect(new Set(places.all())).toEqual(new Set([a, c]));
  });

  it('let an item leave once, whoever has its place then', () => {
    const places = new Places();
    const [a, b] = [item('a'), item('b')];
    const leaveA = places.add(a);
    leaveA();
    places.add(b);
    leaveA();
    places.remove(a);
    expect(places.all()).toEqual([b]);
  });

  it('let an item leave without the answer of its arrival', () => {
    const places = new Places();
    const [a, b] = [item('a'), item('b')];
    const leaveA = places.add(a);
    places.add(b);
    places.remove(a);
    leaveA();
    expect(places.all()).toEqual([b]);
  });

  it('keep no item that has left from the collection of young objects', () => {
    const program = join(import.meta.dirname, '../../../testkit/kernel/items-that-have-left.ts');
    const kept = JSON.parse(
      execFileSync(process.execPath, [...TYPESCRIPT_ARGUMENTS, '--expose-gc', '--max-semi-space-size=4', '--initial-heap-size=512', program], {
        encoding: 'utf8',
      }),
    ) as Record<'places' | 'set', number>;
    // A Set is counted beside them: where it keeps nothing any more, places are not needed.
    expect(kept.set).toBeGreaterThan(50 * kept.places);
  });
});
