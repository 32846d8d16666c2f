import { describe } from '@jest/globals';

import { ERASURE_MACS } from '#testkit/identity/erasure-list/erasure-macs';
import { erasureListContract } from '#testkit/identity/erasure-list/erasure-list.contract';

import { AuthenticatedErasureList } from './authenticated-erasure-list.js';
import { MemoryErasureLines } from './memory-erasure-lines.js';

describe('the list of erasures in memory', () => {
  const lines = new Map<string, MemoryErasureLines>();
  const linesOf = (name: string): MemoryErasureLines => {
    const known = lines.get(name) ?? new MemoryErasureLines();
    lines.set(name, known);
    return known;
  };

  erasureListContract({ open: (name) => new AuthenticatedErasureList(linesOf(name), ERASURE_MACS) });
});
