import type { Topology } from '../../tools/distributed/topology.mjs';

/** The distributed topology that this run started (jest.distributed.config.js); undefined in any other run. */
export const { topology } = globalThis as { topology?: Topology };
