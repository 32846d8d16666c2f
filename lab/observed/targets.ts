import type { ServiceProcess } from '../../testkit/processes/service-process.ts';

/** The processes as targets of a Prometheus: each service is a job, as in a cluster. */
export const targetsOf = (replicas: readonly ServiceProcess[]): Readonly<Record<string, readonly string[]>> => {
  const services = Object.entries(Object.groupBy(replicas, ({ name }) => name));
  return Object.fromEntries(services.map(([name, of = []]) => [name, of.map(({ port }) => `127.0.0.1:${port}`)]));
};
