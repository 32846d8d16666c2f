import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';

import { pause, retry, within } from '#kernel';

import { EventStoreUnavailable } from '../event-store.js';
import { AdminInterface, type ClusterNode, type OperatorCredentials, ScavengeFailed } from './admin-interface.js';
import { closeClient, openClient } from './client.js';
import { failureOf } from './failure.js';

export interface ScavengeOptions {
  /** `esdb://…`. The nodes of the cluster are learnt from those that it names. */
  readonly connectionString: string;
  /** Of a user in `$ops` or `$admins`. Without them, where the server has no users. */
  readonly credentials?: OperatorCredentials;
  /** Milliseconds between two checks of a scavenge. */
  readonly pollEvery?: number;
  /** Called when a node begins. */
  readonly onStart?: (node: string) => void;
}

export interface ScavengedNode {
  readonly node: string;
  readonly leads: boolean;
  readonly scavengeId: string;
}

const POLL_EVERY = 5_000;
/** Milliseconds for one read of the scavenge's log. */
const READ_TIMEOUT = 5_000;
/** So many checks in a row may fail: a node under load, or an election. */
const MAX_FAILURES = 12;

/**
 * Scavenges every node of the cluster, one after the other, the leader last, and follows each scavenge to its end: a node reclaims only the space
 * that it scavenges itself. Yields each node that has succeeded. Throws {@link ScavengeFailed} for a node that refuses, fails or is not alive, and
 * {@link EventStoreUnavailable}; the nodes after it are left.
 */
export const scavengeNodes = async function* (options: ScavengeOptions): AsyncGenerator<ScavengedNode> {
  const { connectionString, credentials, pollEvery = POLL_EVERY, onStart } = options;
  const admin = await AdminInterface.of(connectionString, credentials);
  const client = openClient(connectionString);
  try {
    const nodes = (await admin.nodes()).toSorted((one, other) => Number(one.leads) - Number(other.leads));
    for (const node of nodes) {
      if (!node.isAlive) throw new ScavengeFailed(`${node.host} is not alive; start it, then scavenge again`);
      onStart?.(node.host);
      const scavengeId = await start(admin, node);
      await untilCompleted({ admin, client, ...(credentials && { credentials }), pollEvery }, node, scavengeId);
      yield { node: node.host, leads: node.leads, scavengeId };
    }
  } finally {
    await within(1_000, closeClient(client)).catch(() => undefined);
  }
};

const start = async (admin: AdminInterface, { host }: ClusterNode): Promise<string> => {
  const { status, body } = await admin.send(host, 'POST', '/admin/scavenge');
  const { scavengeId } = (typeof body === 'object' && body !== null ? body : {}) as { scavengeId?: unknown };
  if (status === 200 && typeof scavengeId === 'string') return scavengeId;
  if (status === 401 || status === 403) throw new ScavengeFailed(`${host} refuses these credentials; they have to be of a user in $ops or $admins`);
  throw new ScavengeFailed(`${host} does not start a scavenge (status ${status}); perhaps one is running already`);
};

interface Watch {
  readonly admin: AdminInterface;
  readonly client: EventStoreDBClient;
  readonly credentials?: OperatorCredentials;
  readonly pollEvery: number;
}

/** Not under way, and no end in the log: perhaps it has ended between the two questions. */
class Missing extends ScavengeFailed {}

const untilCompleted = async (watch: Watch, { host }: ClusterNode, scavengeId: string): Promise<void> => {
  const { admin, pollEvery } = watch;
  const hasCompleted = async (): Promise<boolean> => {
    // Asked first: a scavenge that ends between the two questions has its outcome in the log.
    const running = await isRunning(admin, host, scavengeId);
    const outcome = await outcomeOf(watch, scavengeId);
    if (outcome !== undefined && outcome !== 'Success') throw new ScavengeFailed(`the scavenge of ${host} ended with ${outcome}`);
    if (outcome === undefined && !running) throw new Missing(`the scavenge of ${host} was interrupted`);
    return outcome === 'Success';
  };
  const again = {
    when: (error: unknown) => error instanceof Missing || !(error instanceof ScavengeFailed),
    waits: (failures: number, error: unknown) => (failures > (error instanceof Missing ? 2 : MAX_FAILURES) ? undefined : pollEvery),
  };
  while (!(await retry(hasCompleted, again))) await pause(pollEvery);
};

const isRunning = async (admin: AdminInterface, host: string, scavengeId: string): Promise<boolean> => {
  const { body } = await admin.send(host, 'GET', '/admin/scavenge/current');
  return (body as { scavengeId?: unknown } | null)?.scavengeId === scavengeId;
};

/** The end in the server's log, `Success` for instance; undefined while the scavenge runs. */
const outcomeOf = async ({ client, credentials }: Watch, scavengeId: string): Promise<string | undefined> => {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true, ...(credentials && { credentials }) } as const;
  const reading = client.readStream(`$scavenges-${scavengeId}`, options);
  reading.on('error', () => undefined); // thrown by the iteration
  const last = async () => {
    for await (const { event } of reading) return event;
    return undefined;
  };
  try {
    const event = await within(READ_TIMEOUT, last());
    return event?.type === '$scavengeCompleted' ? (event.data as { result: string }).result : undefined;
  } catch (error) {
    if (failureOf(error) === 'stream-not-found') return undefined;
    throw new EventStoreUnavailable(`the log of the scavenge cannot be read: ${String(error)}`);
  }
};
