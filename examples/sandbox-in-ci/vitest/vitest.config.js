import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: '@countersign/sandbox/vitest', testTimeout: 30_000 } });
