import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { Kafka, logLevel } from 'kafkajs';

import { aclEntries } from '../../message-bus/acl-entries.ts';

const SCRIPT = resolve(import.meta.dirname, '../../../deploy/rights/kafka.sh');

/** Gives the services their rights. Runs `deploy/rights/kafka.sh` with `echo` in place of Kafka's own program, which takes seconds for each call. */
export const grantRights = async (brokers: readonly string[]): Promise<void> => {
  const env = { ...process.env, KAFKA_ACLS: 'echo', BOOTSTRAP: brokers.join(','), COMMAND_CONFIG: '' };
  const { stdout } = await promisify(execFile)('sh', [SCRIPT], { env });
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createAcls({ acl: stdout.trim().split('\n').flatMap(aclEntries) });
  await admin.disconnect();
};
