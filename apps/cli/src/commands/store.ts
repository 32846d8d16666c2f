import { readFile } from 'node:fs/promises';

import { type Command, InvalidArgumentError } from 'commander';

import { UsageFailure } from '../failures.js';
import { eventStoreOf, readSettings } from '../settings.js';
import type { GrantOptions } from '../store/grant-rights.js';
import type { Reclaimed, ReclaimOptions } from '../store/reclaim-space.js';
import { table } from '../table.js';
import { terminalOf } from '../terminal.js';

interface ScavengeArguments {
  readonly credentials?: string;
  readonly metricsFile?: string;
  readonly poll: number;
}

const HELP = `
The store:
  ESDB_URL   EventStoreDB: every node is scavenged by itself, followers first, the leader last, each to its end
  DATA_DIR   otherwise: the SQLite file in this folder is written anew. Stop the service before

The file of credentials holds one line, user:password, of a user in $ops or $admins.`;

export const storeCommands = (program: Command): void => {
  const store = program.command('store').description('the event store');
  store
    .command('grant')
    .description('give the users of a role, and no others, the rights that the services need in EventStoreDB')
    .requiredOption('--credentials <file>', 'the credentials of an administrator of EventStoreDB')
    .option('--role <group>', "the group of the services' users", 'services')
    .action(async ({ credentials, role }: { readonly credentials: string; readonly role: string }, command: Command) => {
      const terminal = terminalOf(command);
      const { esdbUrl, esdbAccess } = eventStoreOf(readSettings());
      if (esdbUrl === undefined) throw new UsageFailure('ESDB_URL is not set: it names the EventStoreDB');
      await grant({ esdbUrl, ...(esdbAccess && { esdbAccess }), credentials: await readCredentials(credentials), role });
      terminal.show({ role }, `Users of the group ${role} may use every stream of users and read $all; all others but administrators may not.`);
    });
  store
    .command('scavenge')
    .description('reclaim the space of erased events; run it daily, and at a time of its own')
    .option('--credentials <file>', "the operator's credentials for EventStoreDB")
    .option('--metrics-file <file>', 'note the time of each success here, in the text format of Prometheus')
    .option('--poll <seconds>', 'the time between two checks of a scavenge', seconds, 5)
    .addHelpText('after', HELP)
    .action(async ({ credentials, metricsFile, poll }: ScavengeArguments, command: Command) => {
      const terminal = terminalOf(command);
      const { dataDirectory, ...settings } = readSettings();
      const reclaimed = await reclaim({
        dataDirectory,
        ...eventStoreOf(settings),
        ...(credentials !== undefined && { credentials: await readCredentials(credentials) }),
        ...(metricsFile !== undefined && { metricsFile }),
        pollEvery: poll * 1000,
        note: (text) => terminal.note(text),
      });
      const rows = reclaimed.map(({ node, details }) => [node, details]);
      terminal.show({ nodes: reclaimed }, table(['NODE', 'DETAILS'], rows));
    });
};

/** Loaded on demand: every other command runs without a store. */
const grant = async (options: GrantOptions): Promise<void> => (await import('../store/grant-rights.js')).grantRights(options);

/** Likewise. */
const reclaim = async (options: ReclaimOptions): Promise<readonly Reclaimed[]> => (await import('../store/reclaim-space.js')).reclaimSpace(options);

const readCredentials = async (path: string) => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageFailure(`the file of credentials cannot be read: ${path}`, { cause });
  });
  const [, username, password] = /^([^:\s]+):(\S+)\s*$/.exec(text) ?? [];
  if (username === undefined || password === undefined) throw new UsageFailure(`${path} must hold one line: user:password`);
  return { username, password };
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number of seconds above 0');
  return value;
};
