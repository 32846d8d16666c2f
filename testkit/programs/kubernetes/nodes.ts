/** Nodes in three zones, two in each, and two more that take only pods which select their pool and tolerate its taint. */
const NODES = [
  ...['a', 'b', 'c'].flatMap((zone) => [1, 2].map((number) => ({ name: `${zone}-${number}`, zone, pool: 'general' }))),
  ...['a', 'b'].map((zone) => ({ name: `${zone}-countersign`, zone, pool: 'countersign' })),
];

/** The nodes as objects of Kubernetes, which kwok keeps alive. */
export const nodeObjects = (): readonly object[] =>
  NODES.map(({ name, zone, pool }) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': zone, pool },
    },
    spec: pool === 'general' ? {} : { taints: [{ key: 'pool', value: pool, effect: 'NoSchedule' }] },
    status: {
      allocatable: { cpu: '32', memory: '64Gi', pods: '110' },
      capacity: { cpu: '32', memory: '64Gi', pods: '110' },
    },
  }));
