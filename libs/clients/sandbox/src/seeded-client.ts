import type { SandboxClient } from './answers.js';

/** The client of every sandbox (docs/specification/sandbox.md#what-is-there-from-the-start). No other service accepts its secret. */
export const SEEDED_CLIENT: SandboxClient = {
  clientId: '5a4db000-0000-4000-8000-000000000001',
  clientSecret: 'sandbox-secret-that-only-a-sandbox-accepts',
  redirectUris: [],
};
