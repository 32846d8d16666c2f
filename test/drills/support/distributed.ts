import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { type Engine, givenEventStore, runDirectory, secret, Service, withoutEngines } from '../../support/index.js';
import { Topology } from '../../../tools/distributed/topology.ts';

/** Milliseconds that a read may lag behind a write over replicas (specification/storage.md#client-records-in-caches). */
const STALENESS = 1000;

export interface DistributedOptions {
  /** Of the Kafka cluster. Default: 1. */
  readonly brokers?: number;
  /** The engines that the drill kills: it starts its own, even where the environment names one. */
  readonly kills?: readonly Engine[];
}

export interface Distributed {
  /** The services and engines, to be killed. */
  readonly topology: Topology;
  /** The gateway, which clients call. */
  readonly service: Service;
}

/**
 * The distributed profile as processes of this machine, two replicas of every service, for one drill file. EventStoreDB is the
 * one at ESDB_URL, or the gRPC test server.
 */
export const startDistributed = async (
  name: string,
  settings: Readonly<Record<string, string>> = {},
  { brokers = 1, kills = [] }: DistributedOptions = {},
): Promise<Distributed> => {
  const environment = withoutEngines(kills);
  const adminToken = secret('admin token', randomBytes(24).toString('base64url'));
  const topology = new Topology({
    directory: join(runDirectory(), `${name}.data`),
    settings: {
      LOG_LEVEL: 'info',
      AUTHENTICATION_FAILURE_LIMIT: '1000000',
      PUSH_LIMIT: '100000',
      ADMIN_TOKEN: adminToken,
      ...givenEventStore(environment),
      ...settings,
    },
    brokers,
    environment,
  });
  try {
    await topology.start();
  } catch (error) {
    await topology.stop();
    throw error;
  }
  const { BASE_URL, LOGIN_URL } = topology.settings;
  console.log(`event store: ${topology.store.isReal ? 'EventStoreDB' : 'the gRPC test server, not EventStoreDB'}`);
  return { topology, service: new Service([BASE_URL!.replace('localhost', '127.0.0.1')], LOGIN_URL!, adminToken, STALENESS) };
};
