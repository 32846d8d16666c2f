import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { newNodeProject, REPOSITORY, run } from './support/index.js';

/** What a project in TypeScript writes. */
const FILES = {
  'jest.config.ts': `import type { Config } from 'jest';
export default { globalSetup: '@countersign/sandbox/jest', globals: { countersign: { redirectUris: ['http://localhost/callback'] } } } satisfies Config;
`,
  'common.test.cts': `import { type PlayedLogin, runningSandbox } from '@countersign/sandbox/jest';
export const play = (url: string): Promise<PlayedLogin> => runningSandbox().logIn(url, 'decline');
`,
  'vitest.setup.ts': `import { setUpSandbox } from '@countersign/sandbox/vitest';
export default setUpSandbox({ redirectUris: ['http://localhost/callback'] });
`,
  'playwright.config.ts': `import { SEEDED_CLIENT, sandboxServer } from '@countersign/sandbox/playwright';
import { defineConfig } from '@playwright/test';
export default defineConfig({ webServer: [...sandboxServer({ port: 0 }), { command: 'node server.js', env: { SECRET: SEEDED_CLIENT.clientSecret } }] });
`,
  'login.spec.ts': `import { type Countersign, countersign } from '@countersign/sandbox/playwright';
import { expect, test as base } from '@playwright/test';
const test = base.extend<Countersign>(countersign);
test('logs in', async ({ page, phone, sandbox }) => {
  const { phoneId } = await sandbox.createPhone({ persona: 'slow', delaySeconds: 1 });
  await page.goto('/login');
  expect((await phone.scan(phoneId)).status).toBe('CONFIRMED');
});
`,
  'other.ts': `import { startSandbox } from '@countersign/sandbox';
import { RelyingPartyClient } from '@countersign/relying-party';
const sandbox = await startSandbox({ redirectUris: ['http://localhost/callback'] });
export const client = new RelyingPartyClient({ baseUrl: sandbox.url, ...sandbox.client });
`,
};

const compilerOptions = { module: 'nodenext', target: 'es2023', types: ['node'], strict: true, exactOptionalPropertyTypes: true, noEmit: true };
const COMPILER = [process.execPath, join(REPOSITORY, 'node_modules/typescript7/bin/tsc'), '-p', '.'] as const;

describe('the types of the package', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await newNodeProject('vitest');
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(FILES) }));
  });

  it('let a project in TypeScript name all of it', async () => {
    expect(await run({ words: [...COMPILER], cwd: folder })).toEqual({ status: 0, output: '' });
  });

  it('refuse a person whom no sandbox has', async () => {
    writeFileSync(join(folder, 'other.ts'), FILES['other.ts'] + "void sandbox.createPhone({ persona: 'nobody' });\n");
    const { status, output } = await run({ words: [...COMPILER], cwd: folder });
    expect([status === 0, output]).toEqual([false, expect.stringContaining(`Type '"nobody"' is not assignable to type 'Persona'`)]);
  });
});
