import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { go } from '../go/go.ts';

/** The modules that hold the definitions of the kinds that the chart uses, and the files in them. */
const SOURCES = [
  { module: 'sigs.k8s.io/gateway-api@v1.4.0', folder: 'config/crd/standard', names: /_(gateways|gatewayclasses|httproutes)\.yaml$/ },
  {
    module: 'github.com/envoyproxy/gateway@v1.6.0',
    folder: 'charts/gateway-helm/crds/generated',
    names: /_(backendtrafficpolicies|securitypolicies)\.yaml$/,
  },
  { module: 'github.com/kedacore/keda/v2@v2.18.1', folder: 'config/crd/bases', names: /_(scaledobjects|triggerauthentications)\.yaml$/ },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    names: /_(servicemonitors|prometheusrules)\.yaml$/,
  },
];

/** The files of the custom resource definitions that the chart needs, from the module cache of Go, which downloads what it lacks. */
export const crdFiles = (): readonly string[] =>
  SOURCES.flatMap(({ module, folder, names }) => {
    const { Dir } = JSON.parse(go(['mod', 'download', '-json', module])) as { Dir: string };
    const files = readdirSync(join(Dir, folder)).filter((name) => names.test(name));
    if (files.length === 0) throw new Error(`${module} holds no definition in ${folder}`);
    return files.map((name) => join(Dir, folder, name));
  });
