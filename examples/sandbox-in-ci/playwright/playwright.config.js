import { SEEDED_CLIENT, sandboxServer } from '@countersign/sandbox/playwright';
import { defineConfig } from '@playwright/test';

const origin = process.env.ORIGIN ?? 'http://localhost:5173';

export default defineConfig({
  fullyParallel: true,
  use: { baseURL: origin },
  webServer: [
    ...sandboxServer({ redirectUris: [`${origin}/callback`] }),
    { command: 'node server.js', url: origin, env: { ORIGIN: origin, CLIENT_ID: SEEDED_CLIENT.clientId, CLIENT_SECRET: SEEDED_CLIENT.clientSecret } },
  ],
});
