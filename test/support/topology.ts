import type { Topology } from '../../testkit/topologies/topology.ts';

/** The distributed topology that this run started (the project `distributed` of jest.config.js); undefined in any other run. */
export const { topology } = globalThis as { topology?: Topology };
