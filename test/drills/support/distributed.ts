import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { Dialect } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { eventually } from '#testkit/kernel/eventually';

import { type Engine, givenEventStore, pause, runDirectory, secret, Service, withoutEngines } from '../../support/index.js';
import type { ServiceName } from '../../../testkit/topologies/services.ts';
import { Topology } from '../../../testkit/topologies/topology.ts';
import { BusTap } from './bus-tap.js';

/** Milliseconds between two checks of the topic: the relay publishes again within that time, if it has anything left. */
const CHECK_INTERVAL = 3_000;
/** Milliseconds. */
const SETTLED_WITHIN = 120_000;

/** Milliseconds that a read may lag behind a write over replicas (specification/storage.md#client-records-in-caches). */
const STALENESS = 1000;

export interface DistributedOptions {
  /** Of the gRPC test server, if it stands in for EventStoreDB. Default: 23.10. */
  readonly dialect?: Dialect;
  /** Of the Kafka cluster. Default: 1. */
  readonly brokers?: number;
  /** The engines that the drill kills: it starts its own, even if the environment names one. */
  readonly kills?: readonly Engine[];
  /** The services that the drill is about, two replicas each; of each other one a single process runs. Default: all. */
  readonly replicated?: readonly ServiceName[];
  /** Whether the portal runs too. Default: false. */
  readonly portal?: boolean;
  /** Whether the provider of OpenID Connect runs too. Default: false. */
  readonly openid?: boolean;
}

export interface Distributed {
  /** The services and engines, to be killed. */
  readonly topology: Topology;
  /** The gateway, which clients call. */
  readonly service: Service;
}

/**
 * The distributed profile as processes of this machine, for one drill file. EventStoreDB is the
 * one at ESDB_URL, or the gRPC test server.
 */
export const startDistributed = async (
  name: string,
  settings: Readonly<Record<string, string>> = {},
  { brokers = 1, dialect, kills = [], replicated, portal = false, openid = false }: DistributedOptions = {},
): Promise<Distributed> => {
  // Read models belong to one store: a store of the drill's own gets a database of its own.
  const given = process.env['ESDB_URL'] && !kills.includes('ESDB_URL');
  const environment = withoutEngines(given ? kills : [...kills, 'POSTGRES_URL']);
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
    dialect,
    replicated,
    portal,
    openid,
    environment,
  });
  try {
    await topology.start();
    if (!topology.kafka) await settled(topology.settings['KAFKA_BROKERS']!.split(','));
  } catch (error) {
    await topology.stop();
    throw error;
  }
  const { BASE_URL, LOGIN_URL } = topology.settings;
  console.log(`event store: ${topology.store.isReal ? 'EventStoreDB' : 'the gRPC test server, not EventStoreDB'}`);
  return { topology, service: new Service([BASE_URL!.replace('localhost', '127.0.0.1')], LOGIN_URL!, adminToken, STALENESS) };
};

/**
 * Resolves when relay and consumers have no work left on a Kafka that other files have used. A file that used this store with its own Kafka
 * leaves the checkpoint of another topic there: then the relay fills this topic again, and the consumers read it.
 */
const settled = async (brokers: readonly string[]): Promise<void> => {
  const tap = new BusTap(brokers);
  let before = -1;
  await eventually(
    async () => {
      const [written, backlogs] = [await tap.written(), await tap.backlogs()];
      const isQuiet = written === before && [...backlogs.values()].every((backlog) => backlog === 0);
      before = written;
      if (!isQuiet) await pause(CHECK_INTERVAL);
      return isQuiet;
    },
    { what: 'the relay and the consumers have no work left from other files', within: SETTLED_WITHIN },
  );
};
