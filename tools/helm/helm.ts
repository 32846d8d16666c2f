import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v3.21.4';
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'countersign/tools');
const HELM = join(CACHE, `helm-${VERSION}`);

/** The version that the chart is rendered for. Helm built from its module knows none. */
export const KUBERNETES_VERSION = 'v1.35.0';

/**
 * Helm, built once from its Go module into the user's cache folder: about 90 seconds of processor time, and nothing afterwards. Needs Go 1.24 or later.
 * Throws when it cannot be built.
 */
export const buildHelm = (): string => {
  if (existsSync(HELM)) return HELM;
  const built = join(CACHE, `new-${process.pid}`);
  mkdirSync(built, { recursive: true });
  const go = existsSync('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : 'go';
  execFileSync(go, ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], {
    env: { ...process.env, GOBIN: built, GOFLAGS: '-buildvcs=false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(join(built, 'helm'), HELM);
  return HELM;
};
