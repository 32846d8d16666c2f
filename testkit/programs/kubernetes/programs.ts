import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';
import { KUBERNETES_VERSION } from '../helm/helm.ts';

const ETCD_VERSION = 'v3.6.5';
const KWOK_VERSION = 'v0.7.0';

const CONTROL_PLANE = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;
type Program = (typeof CONTROL_PLANE)[number] | 'etcd' | 'kwok';

const cached = (name: string, version: string): string => join(TOOLS_CACHE, `${name}-${version}`);

/** The programs of a Kubernetes control plane by name, each with its path in the cache, whether or not it has been built. */
export const PROGRAMS: Readonly<Record<Program, string>> = {
  'kube-apiserver': cached('kube-apiserver', KUBERNETES_VERSION),
  'kube-controller-manager': cached('kube-controller-manager', KUBERNETES_VERSION),
  'kube-scheduler': cached('kube-scheduler', KUBERNETES_VERSION),
  kubectl: cached('kubectl', KUBERNETES_VERSION),
  etcd: cached('etcd', ETCD_VERSION),
  kwok: cached('kwok', KWOK_VERSION),
};

/** Builds the missing programs from Go modules: about 15 minutes of processor time for all. Needs Go 1.25 or later. Throws when a build fails. */
export const buildPrograms = (say: (line: string) => void): void => {
  if (!existsSync(PROGRAMS.etcd)) {
    say(`building etcd ${ETCD_VERSION}`);
    // Its module replaces others by folders beside it, which `go install` refuses. So we build it from a module of our own.
    const goMod = `module etcd\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 ${ETCD_VERSION}\n`;
    inModule(goMod, (folder) => build(folder, 'go.etcd.io/etcd/server/v3', PROGRAMS.etcd));
  }
  if (!existsSync(PROGRAMS.kwok)) {
    say(`building kwok ${KWOK_VERSION}`);
    const goMod = `module kwok\n\ngo 1.24\n\nrequire sigs.k8s.io/kwok ${KWOK_VERSION}\n`;
    inModule(goMod, (folder) => build(folder, 'sigs.k8s.io/kwok/cmd/kwok', PROGRAMS.kwok));
  }
  const missing = CONTROL_PLANE.filter((name) => !existsSync(PROGRAMS[name]));
  if (missing.length === 0) return;
  const goMod = goModOfKubernetes();
  inModule(goMod, (folder) => {
    for (const name of missing) {
      say(`building ${name} ${KUBERNETES_VERSION}`);
      build(folder, `k8s.io/kubernetes/cmd/${name}`, PROGRAMS[name], versionFlags());
    }
  });
};

/**
 * A module that builds Kubernetes with the versions of its own module. That one takes its libraries (k8s.io/api and others) as v0.0.0 from folders
 * beside it; they are published as v0.35.0 for Kubernetes v1.35.0.
 */
const goModOfKubernetes = (): string => {
  const { GoMod: path } = JSON.parse(go(['mod', 'download', '-json', `k8s.io/kubernetes@${KUBERNETES_VERSION}`])) as { GoMod: string };
  const original = readFileSync(path, 'utf8');
  const libraries = KUBERNETES_VERSION.replace(/^v1/, 'v0');
  const names = new Set([...original.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map(([, name]) => name!));
  const required = original.replace(/^replace \([^)]*\)$/gm, '').replace(/^replace .*$/gm, '');
  return [
    required.replace(/^module .*$/m, 'module control-plane'),
    `require k8s.io/kubernetes ${KUBERNETES_VERSION}`,
    ...[...names].map((name) => `replace ${name} => ${name} ${libraries}`),
    '',
  ].join('\n');
};

/** The programs read their version from variables that the linker sets. Without them the server calls itself v0.0.0, which no chart accepts. */
const versionFlags = (): string => {
  const [major, minor] = KUBERNETES_VERSION.slice(1).split('.');
  const values = { gitVersion: KUBERNETES_VERSION, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .flatMap((name) => Object.entries(values).map(([variable, value]) => `-X ${name}.${variable}=${value}`))
    .join(' ');
};

/** Runs the function in a new folder with this go.mod, and removes the folder. */
const inModule = (goMod: string, use: (folder: string) => void): void => {
  mkdirSync(TOOLS_CACHE, { recursive: true });
  const folder = mkdtempSync(join(TOOLS_CACHE, 'new-'));
  try {
    writeFileSync(join(folder, 'go.mod'), goMod);
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const build = (folder: string, name: string, path: string, flags = ''): void => {
  const built = join(folder, basename(path));
  go(['build', '-mod=mod', '-trimpath', '-ldflags', `-s -w ${flags}`.trim(), '-o', built, name], { cwd: folder });
  renameSync(built, path);
};
