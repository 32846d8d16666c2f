import { MemoryProofIds } from './memory-proof-ids.js';
import { REMEMBERED } from './proof-ids.js';

describe('the proof ids of one replica', () => {
  const NOW = 1_767_225_600_000;
  let ids: MemoryProofIds;
  beforeEach(() => {
    ids = new MemoryProofIds();
  });

  it('are new once', async () => {
    expect([await ids.isNew('a', NOW), await ids.isNew('a', NOW), await ids.isNew('b', NOW)]).toEqual([true, false, true]);
  });

  it.each([0, 1, REMEMBERED / 2, REMEMBERED - 1])('are remembered for two minutes, also when they come %d ms after the first one', async (after) => {
    await ids.isNew('first', NOW);
    await ids.isNew('a', NOW + after);
    await ids.isNew('other', NOW + REMEMBERED);
    expect(await ids.isNew('a', NOW + after + REMEMBERED)).toBe(false);
  });

  it('are forgotten afterwards, so that memory does not grow for ever', async () => {
    await ids.isNew('a', NOW);
    await ids.isNew('other', NOW + REMEMBERED);
    expect(await ids.isNew('a', NOW + 2 * REMEMBERED)).toBe(true);
  });

  it('are dropped when the service closes', async () => {
    await ids.isNew('a', NOW);
    await ids.isNew('b', NOW + REMEMBERED);
    ids.close();
    expect([await ids.isNew('a', NOW + REMEMBERED), await ids.isNew('b', NOW + REMEMBERED)]).toEqual([true, true]);
  });
});
