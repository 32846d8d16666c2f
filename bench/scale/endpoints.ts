import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Costs } from './growth.js';
import { MeasuredService } from './service.js';

const AT_ONCE = 16;

/** The cost of each path beside so many clients with a webhook endpoint each. */
export const besideEndpoints = async (count: number): Promise<Costs> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-scale-'));
  try {
    const filling = await MeasuredService.open(directory);
    for (let made = 0; made < count; made += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, () => filling.staff.newEndpoint()));
    await filling.stop();
    const service = await MeasuredService.open(directory);
    try {
      return { ...service.start, ...(await service.paths(await service.staff.newRelyingParty())) };
    } finally {
      await service.stop();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
};
