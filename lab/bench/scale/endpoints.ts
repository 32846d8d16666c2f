import type { Costs } from './growth.js';
import { costsBeside } from './costs-beside.js';
import { MeasuredService } from './service.js';

const AT_ONCE = 16;

/** The cost of each path beside so many clients with a webhook endpoint each. */
export const besideEndpoints = (count: number): Promise<Costs> =>
  costsBeside(async (directory) => {
    const filling = await MeasuredService.open(directory);
    for (let made = 0; made < count; made += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, () => filling.staff.newEndpoint()));
    await filling.stop();
  });
