import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';

const VERSION = 'v3.21.4';
const HELM = join(TOOLS_CACHE, `helm-${VERSION}`);

/** The version that the chart is rendered for. Helm built from its module knows none. */
export const KUBERNETES_VERSION = 'v1.35.0';

/**
 * Helm, built once from its Go module into the user's cache folder: about 90 seconds of processor time, and nothing afterwards. Needs Go 1.24 or later.
 * Throws when it cannot be built.
 */
export const buildHelm = (): string => {
  if (existsSync(HELM)) return HELM;
  const built = join(TOOLS_CACHE, `new-${process.pid}`);
  mkdirSync(built, { recursive: true });
  go(['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], { env: { GOBIN: built } });
  renameSync(join(built, 'helm'), HELM);
  return HELM;
};
