import { buildHelm } from '../helm/helm.ts';
import { crdFiles } from './crds.ts';
import { buildPrograms, missingPrograms } from './programs.ts';

/**
 * node tools/kubernetes/fetch.ts: builds etcd, the Kubernetes control plane, kubectl, kwok and helm into the user's cache folder, if they are missing.
 * With --check it builds nothing, names what is missing and then ends with 1.
 */
if (process.argv.includes('--check')) {
  const missing = missingPrograms();
  if (missing.length > 0) console.log(missing.join(' '));
  process.exitCode = missing.length > 0 ? 1 : 0;
} else {
  crdFiles();
  buildPrograms(console.log);
  buildHelm();
}
