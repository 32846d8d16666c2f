import { beforeAll, describe, expect, it } from '@jest/globals';

import { services as servicesOfTopology } from '../../testkit/topologies/services.ts';
import { component, type KubernetesObject, ofKind, podOf, render, settingOf, valuesFiles } from './support/chart.ts';

/** Seconds: how long the processes let requests under way finish, how long an attempt of a webhook takes, and what remains to close the engines. */
const DRAIN = 10;
const WEBHOOK_ATTEMPT = 15;
const CLOSE = 5;

const SERVICES = servicesOfTopology.map(({ name }) => name as string).sort();

describe.each(valuesFiles)('the chart with %s', (file) => {
  let objects: readonly KubernetesObject[];
  let deployments: readonly KubernetesObject[];
  /** Pod templates of services and jobs. */
  let pods: readonly ReturnType<typeof podOf>[];

  beforeAll(() => {
    objects = render(file);
    deployments = ofKind(objects, 'Deployment');
    pods = [...deployments, ...ofKind(objects, 'CronJob')].map(podOf);
  });

  it('has one deployment for each service of the distributed profile', () => {
    expect(deployments.map(component).sort()).toEqual(SERVICES);
    for (const { spec, metadata } of deployments)
      expect(spec.template.spec.containers[0].command).toEqual([
        'node',
        '--enable-source-maps',
        `dist/services/${metadata.labels['app.kubernetes.io/component']}.js`,
      ]);
  });

  it('gives every object a name of its own', () => {
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('gives every service startup, readiness and liveness probes; only readiness looks at engines', () => {
    for (const deployment of deployments) {
      const [{ startupProbe, livenessProbe, readinessProbe }] = podOf(deployment).containers;
      expect(startupProbe.httpGet).toEqual({ path: '/livez', port: 'ops' });
      expect(livenessProbe.httpGet).toEqual({ path: '/livez', port: 'ops' });
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'ops' });
      // A check of /readyz takes two seconds at most.
      expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
    }
  });

  it('gives every container requests and a limit of memory', () => {
    for (const { containers } of pods)
      for (const { resources } of containers)
        expect(resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
  });

  it('names every image by its digest and none by a tag', () => {
    for (const { containers } of pods)
      for (const { image } of containers) expect(image).toMatch(/^[a-z0-9./-]+(:\d+\/[a-z0-9./-]+)?@sha256:[0-9a-f]{64}$/);
  });

  it('runs every pod without root, privileges, a writable file system, and a token of the API server', () => {
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    }
    expect(ofKind(objects, 'ServiceAccount')).toMatchObject([{ automountServiceAccountToken: false }]);
  });

  it('keeps secrets in files that other users cannot read, and none in the environment', () => {
    for (const { volumes, containers } of pods) {
      const secrets = volumes.filter(({ secret }) => secret);
      expect(secrets.length).toBeGreaterThan(0);
      for (const { secret } of secrets) expect(secret!.defaultMode).toBe(0o440);
      expect(JSON.stringify(containers)).not.toMatch(/secretKeyRef|secretRef/);
    }
    expect(ofKind(objects, 'Secret')).toEqual([]);
  });

  it('lets one pod of a service be evicted at a time, and none of the last', () => {
    const budgets = new Map(ofKind(objects, 'PodDisruptionBudget').map((budget) => [component(budget), budget.spec]));
    expect([...budgets.keys()].sort()).toEqual(SERVICES);
    for (const deployment of deployments) {
      const { maxUnavailable, selector } = budgets.get(component(deployment))!;
      expect(maxUnavailable).toBe(1);
      expect(selector).toEqual(deployment.spec.selector);
      expect(leastReplicas(objects, deployment)).toBeGreaterThanOrEqual(2);
    }
  });

  it('ends no pod before its drain, and no rollout before the new pod is ready', () => {
    const graceOfIdle = Number(settingOf(objects, 'IDLE_GRACE'));
    for (const deployment of deployments) {
      const { terminationGracePeriodSeconds, containers } = podOf(deployment);
      const preStop = containers[0].lifecycle.preStop.sleep.seconds;
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + Math.max(DRAIN, graceOfIdle) + WEBHOOK_ATTEMPT + CLOSE);
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  it('spreads pods over zones and nodes, softly', () => {
    for (const deployment of deployments) {
      const soft = { whenUnsatisfiable: 'ScheduleAnyway', labelSelector: deployment.spec.selector as object };
      expect(podOf(deployment).topologySpreadConstraints).toMatchObject([
        { topologyKey: 'topology.kubernetes.io/zone', ...soft },
        { topologyKey: 'kubernetes.io/hostname', ...soft },
      ]);
    }
  });

  it('selects the pods of each service by its service object', () => {
    const selectors = new Map(ofKind(objects, 'Service').map((service) => [component(service), service.spec.selector]));
    for (const deployment of deployments) {
      expect(selectors.get(component(deployment))).toEqual(deployment.spec.selector.matchLabels);
      expect(deployment.spec.template.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels);
    }
  });

  it('leaves the number of replicas to the autoscaler where there is one', () => {
    for (const deployment of deployments)
      expect([component(deployment), 'replicas' in deployment.spec]).toEqual([component(deployment), scalerOf(objects, deployment) === undefined]);
  });

  it('never scales consumers beyond the partitions', () => {
    const partitions = Number(settingOf(objects, 'KAFKA_PARTITIONS'));
    for (const { spec } of ofKind(objects, 'ScaledObject')) expect(spec.maxReplicaCount).toBeLessThanOrEqual(partitions);
  });
});

const scalerOf = (objects: readonly KubernetesObject[], { metadata }: KubernetesObject): KubernetesObject | undefined =>
  objects.find(({ kind, spec }) => ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind) && spec.scaleTargetRef.name === metadata.name);

const leastReplicas = (objects: readonly KubernetesObject[], deployment: KubernetesObject): number => {
  const scaler = scalerOf(objects, deployment);
  return scaler ? (scaler.spec.minReplicas ?? scaler.spec.minReplicaCount) : deployment.spec.replicas;
};
