import { describe } from '@jest/globals';

import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { loginFunnelContract } from '#testkit/session/read-models/login-funnel.contract';

describe('the login funnel on SQLite', () => {
  loginFunnelContract({
    make: async () => undefined,
    open: ({ eventStore }) => projectionsInMemory(eventStore),
    remove: async () => undefined,
  });
});
