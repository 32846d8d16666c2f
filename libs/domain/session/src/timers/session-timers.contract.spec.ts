import { describe } from '@jest/globals';

import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import type { Projections } from '#engines/read-model';

import { sessionTimersContract } from '#testkit/session/timers/session-timers.contract';

describe('session timers on SQLite', () => {
  // A file has one process, so the processes of a test share it.
  let shared: Projections | undefined;
  const statements = new Map<string, number>();
  sessionTimersContract({
    statements,
    make: async () => {
      shared = undefined;
    },
    open: ({ eventStore, clock }) => (shared ??= projectionsInMemory(eventStore, clock, statements)),
    remove: async () => undefined,
  });
});
