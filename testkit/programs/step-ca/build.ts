import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';

const VERSION = 'v0.30.2';

/** The path of step-ca in the cache, whether or not it has been built. */
export const STEP_CA = join(TOOLS_CACHE, `step-ca-${VERSION}`);

/**
 * step-ca, built once from its Go module into the user's cache folder, without the hardware tokens that need a C compiler. Needs Go 1.25 or later. Throws
 * when it cannot be built.
 */
export const buildStepCa = (): string => {
  if (existsSync(STEP_CA)) return STEP_CA;
  const built = join(TOOLS_CACHE, `new-step-ca-${process.pid}`);
  mkdirSync(built, { recursive: true });
  try {
    const arguments_ = ['install', '-trimpath', '-ldflags', '-s -w', `github.com/smallstep/certificates/cmd/step-ca@${VERSION}`];
    go(arguments_, { env: { GOBIN: built, CGO_ENABLED: '0' } });
    renameSync(join(built, 'step-ca'), STEP_CA);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  return STEP_CA;
};
