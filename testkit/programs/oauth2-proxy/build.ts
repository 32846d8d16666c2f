import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';

const VERSION = 'v7.15.6';

/** The path of oauth2-proxy in the cache, whether or not it has been built. */
export const OAUTH2_PROXY = join(TOOLS_CACHE, `oauth2-proxy-${VERSION}`);

/** Builds oauth2-proxy once from its Go module into the user's cache folder. Needs Go 1.25 or later. Throws when it cannot be built. */
export const buildOAuth2Proxy = (): void => {
  if (existsSync(OAUTH2_PROXY)) return;
  const built = join(TOOLS_CACHE, `new-oauth2-proxy-${process.pid}`);
  mkdirSync(built, { recursive: true });
  try {
    const arguments_ = ['install', '-trimpath', '-ldflags', '-s -w', `github.com/oauth2-proxy/oauth2-proxy/v7@${VERSION}`];
    go(arguments_, { env: { GOBIN: built, CGO_ENABLED: '0' } });
    renameSync(join(built, 'oauth2-proxy'), OAUTH2_PROXY);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
};
