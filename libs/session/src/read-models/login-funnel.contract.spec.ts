import { describe } from '@jest/globals';

import { projectionsInMemory } from '#read-model/testing';

import { loginFunnelContract } from './login-funnel.contract.js';

describe('the login funnel on SQLite', () => {
  loginFunnelContract({
    make: async () => undefined,
    open: ({ eventStore }) => projectionsInMemory(eventStore),
    remove: async () => undefined,
  });
});
