import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { Demo } from '../../../testkit/topologies/demo.ts';
import { Topology } from '../../../testkit/topologies/topology.ts';
import makeRunDirectory from './make-run-directory.ts';

/**
 * Starts one topology for the whole run. Its services have their least rights in the engines. Suites find it by the settings for a given target, and
 * control it as `globalThis.topology`.
 */
export default async (): Promise<void> => {
  makeRunDirectory();
  const adminToken = randomBytes(24).toString('base64url');
  const directory = join(process.env['CONFORMANCE_RUN_DIR'] ?? '', 'topology.data');
  // All failures come from one address, and every line that could hold a secret is to be searched.
  const topology = new Topology({
    openid: true,
    directory,
    settings: { LOG_LEVEL: 'debug', AUTHENTICATION_FAILURE_LIMIT: '1000000', ADMIN_TOKEN: adminToken },
    portal: true,
    accounts: true,
  });
  const demo = new Demo({ topology, adminToken });
  const stopTopology = async (): Promise<void> => {
    await demo.stop();
    await topology.stop();
  };
  Object.assign(globalThis, { topology, stopTopology });
  try {
    await topology.start();
    await demo.start();
  } catch (error) {
    await stopTopology();
    throw error;
  }
  const { BASE_URL, LOGIN_URL, APP_URL } = topology.settings;
  Object.assign(process.env, { BASE_URL, LOGIN_URL, APP_URL, DEMO_URL: demo.url, ADMIN_TOKEN: adminToken });
  console.log(`\nevent store: ${topology.store.isReal ? 'EventStoreDB' : 'the gRPC test server, not EventStoreDB'}`);
};
