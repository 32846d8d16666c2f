import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildHelm } from '../../../testkit/programs/helm/helm.ts';
import { ControlPlane } from '../../../testkit/programs/kubernetes/control-plane.ts';
import { crdFiles } from '../../../testkit/programs/kubernetes/crds.ts';
import { nodeObjects } from '../../../testkit/programs/kubernetes/nodes.ts';
import { buildPrograms, PROGRAMS } from '../../../testkit/programs/kubernetes/programs.ts';
import { makeLocalCertificate } from '../../../testkit/processes/local-certificate.ts';

/** Starts a Kubernetes control plane with nodes in three zones and the kinds that the chart uses. Builds missing programs first, which takes many minutes. */
export default async (): Promise<void> => {
  buildPrograms((line) => process.stderr.write(`${line}\n`));
  buildHelm();
  const directory = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  const certificates = join(directory, 'certificates');
  mkdirSync(certificates);
  const certificate = await makeLocalCertificate(certificates);
  const plane = await ControlPlane.start({ directory, certificate });
  Object.assign(globalThis, { stopKubernetes: () => plane.remove() });
  process.env['KUBECONFIG'] = plane.kubeconfig;
  process.env['TEST_CERTIFICATES'] = certificates;
  const kubectl = (args: readonly string[], input = ''): string =>
    execFileSync(PROGRAMS.kubectl, args, { input, encoding: 'utf8', env: { HOME: directory, KUBECONFIG: plane.kubeconfig } });
  kubectl(['apply', '--server-side', ...crdFiles().flatMap((file) => ['--filename', file])]);
  kubectl(['create', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: nodeObjects() }));
  kubectl(['wait', 'customresourcedefinitions', '--all', '--for=condition=Established', '--timeout=180s']);
  kubectl(['wait', 'nodes', '--all', '--for=condition=Ready', '--timeout=180s']);
};
