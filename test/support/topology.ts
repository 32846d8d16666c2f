import type { Topology } from '../../tools/distributed/topology.ts';

/** The distributed topology that this run started (the project `distributed` of jest.config.js); undefined in any other run. */
export const { topology } = globalThis as { topology?: Topology };
