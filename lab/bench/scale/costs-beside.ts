import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Costs } from './growth.js';
import { MeasuredService } from './service.js';

/** The cost of each path of a service over a new data directory that `fill` has filled, with the costs that `fill` answers. */
export const costsBeside = async (fill: (directory: string) => Promise<Costs | void>): Promise<Costs> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-scale-'));
  try {
    const filled = await fill(directory);
    const service = await MeasuredService.open(directory);
    try {
      return { ...filled, ...service.start, ...(await service.paths(await service.staff.newRelyingParty())) };
    } finally {
      await service.stop();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
};
