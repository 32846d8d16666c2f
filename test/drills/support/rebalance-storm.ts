import { pause } from '../../support/index.js';
import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';

/** Milliseconds from one change of the groups' members to the next. */
const EVERY = 3_000;

/**
 * Every three seconds another replica is ended, by SIGTERM or by SIGKILL, and started again at once. Resolves when all of them run again;
 * answers how often one has left or joined its group.
 */
export const rebalanceStorm = async (replicas: readonly ServiceProcess[], milliseconds: number): Promise<number> => {
  const away = new Set<ServiceProcess>();
  const comings: Promise<void>[] = [];
  const endAndStart = async (replica: ServiceProcess): Promise<void> => {
    away.add(replica);
    await (Math.random() < 0.5 ? replica.kill() : replica.stop());
    await replica.start();
    away.delete(replica);
  };
  const until = performance.now() + milliseconds;
  for (let turn = 0; performance.now() < until; turn++) {
    const replica = replicas[turn % replicas.length]!;
    if (!away.has(replica)) comings.push(endAndStart(replica));
    await pause(EVERY);
  }
  await Promise.all(comings);
  return 2 * comings.length;
};
