import { buildHelm } from '../helm/helm.ts';
import { crdFiles } from './crds.ts';
import { buildPrograms } from './programs.ts';

// node testkit/programs/kubernetes/fetch.ts: builds etcd, the Kubernetes control plane, kubectl, kwok and helm into the user's cache folder, if they are missing.
crdFiles();
buildPrograms(console.log);
buildHelm();
