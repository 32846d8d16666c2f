import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  apply,
  type ClusterObject,
  get,
  hasReady,
  kubectl,
  makeNamespace,
  CONDITION_LIMIT,
  release,
  removeNamespace,
  rolledOut,
} from './support/cluster.ts';
import { type MetricsApi, startMetricsApi } from './support/metrics-api.ts';

const NAMESPACE = 'scaling';
const LAG = 's0-kafka-sessions-events-v1';

let metrics: MetricsApi;

beforeAll(async () => {
  metrics = await startMetricsApi();
  await makeNamespace(NAMESPACE);
  // The autoscalers of all services see idle pods.
  for (const component of ['session-api', 'login-bff', 'openid', 'device-api', 'registry', 'console']) metrics.cpu.set(component, 10);
  await release(NAMESPACE, 'minimal-values.yaml');
  await rolledOut(NAMESPACE);
});

afterAll(async () => {
  await metrics?.stop();
  await removeNamespace(NAMESPACE);
});

/**
 * Ends the wait of an autoscaler that is about to scale down. It waits for minutes, so that a short calm ends no pods. The function first checks that
 * the autoscaler reports this wait.
 */
const endWaitBeforeScaleDown = async (name: string): Promise<void> => {
  await eventually(async () => conditionOf(await get(NAMESPACE, 'hpa', name), 'AbleToScale') === 'ScaleDownStabilized', {
    what: `${name} waits before it takes pods away`,
    within: CONDITION_LIMIT,
  });
  const scaleDown = { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] };
  await kubectl(['--namespace', NAMESPACE, 'patch', 'hpa', name, '--patch', JSON.stringify({ spec: { behavior: { scaleDown } } })]);
};

const conditionOf = ({ status }: ClusterObject, wanted: string): string | undefined =>
  (status?.conditions as readonly { type: string; reason: string }[] | undefined)?.find(({ type }) => type === wanted)?.reason;

describe('a service with an API', () => {
  it('gets more replicas while it uses more processor time than its target, up to the maximum, and fewer afterwards', async () => {
    await hasReady(NAMESPACE, 'registry', 2);
    // Each pod requests 100m, and the target is 60 % of that.
    metrics.cpu.set('registry', 400);
    await hasReady(NAMESPACE, 'registry', 4);
    expect((await get(NAMESPACE, 'hpa', 'countersign-registry')).spec.maxReplicas).toBe(4);

    metrics.cpu.set('registry', 10);
    await endWaitBeforeScaleDown('countersign-registry');
    await hasReady(NAMESPACE, 'registry', 2);
  });
});

describe('a consumer', () => {
  /** The autoscaler that KEDA makes of a ScaledObject, with its first trigger. KEDA itself does not run here. */
  const autoscalerOfKeda = async (name: string): Promise<object> => {
    const { spec } = await get(NAMESPACE, 'scaledobject', name);
    const averageValue = spec.triggers[0].metadata.lagThreshold as string;
    const external = {
      metric: { name: LAG, selector: { matchLabels: { 'scaledobject.keda.sh/name': name } } },
      target: { type: 'AverageValue', averageValue },
    };
    return {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: `keda-hpa-${name}` },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', ...spec.scaleTargetRef },
        minReplicas: spec.minReplicaCount,
        maxReplicas: spec.maxReplicaCount,
        metrics: [{ type: 'External', external }],
        behavior: spec.advanced.horizontalPodAutoscalerConfig.behavior,
      },
    };
  };

  it('gets a replica for each 200 messages that wait, never more than there are partitions, keeps them through an upgrade, and gives them back', async () => {
    await apply(NAMESPACE, [await autoscalerOfKeda('countersign-signing')]);
    await hasReady(NAMESPACE, 'signing', 2);
    metrics.external.set(LAG, 700);
    await hasReady(NAMESPACE, 'signing', 4);
    metrics.external.set(LAG, 1_000_000);
    await hasReady(NAMESPACE, 'signing', 6);
    await eventually(async () => conditionOf(await get(NAMESPACE, 'hpa', 'keda-hpa-countersign-signing'), 'ScalingLimited') === 'TooManyReplicas', {
      within: CONDITION_LIMIT,
    });

    await release(NAMESPACE, 'minimal-values.yaml', { 'settings.LOG_LEVEL': 'warn' });
    await rolledOut(NAMESPACE);
    await hasReady(NAMESPACE, 'signing', 6);

    metrics.external.set(LAG, 0);
    await endWaitBeforeScaleDown('keda-hpa-countersign-signing');
    await hasReady(NAMESPACE, 'signing', 2);
  });
});
