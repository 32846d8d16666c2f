import type { Command } from 'commander';

import { UsageFailure } from '../failures.js';
import { eventStoreOf, readSettings } from '../settings.js';
import { terminalOf } from '../terminal.js';

const HELP = `
Stop the service before. ESDB_URL names an EventStoreDB that no service has used yet. Broken off, it may be repeated. It changes nothing in DATA_DIR;
delete the SQLite file once you are content, since erasures do not reach it any more. What begins anew: docs/operator.md.`;

export const migrateCommand = (program: Command): void => {
  program
    .command('migrate')
    .description('copy the embedded store in DATA_DIR into EventStoreDB: events with their ids, revisions and MACs, retentions and tombstones')
    .addHelpText('after', HELP)
    .action(async (_: unknown, command: Command) => {
      const { dataDirectory, ...settings } = readSettings();
      const { esdbUrl, ...access } = eventStoreOf(settings);
      if (esdbUrl === undefined) throw new UsageFailure('set ESDB_URL to the EventStoreDB to copy into');
      const done = await (await load()).migrate({ dataDirectory, esdbUrl, ...access });
      const text = `Copied ${done.events} events of ${done.streams} streams, and ${done.tombstones} tombstones.`;
      terminalOf(command).show({ ...done }, text);
    });
};

/** Loaded on demand: every other command runs without a store. */
const load = () => import('../store/migrate.js');
