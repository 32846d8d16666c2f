import type { Command } from 'commander';

import { table } from '../table.js';
import { terminalOf } from '../terminal.js';

const HELP = `
The engines are those of the service, by its own settings:
  KAFKA_BROKERS, ESDB_URL   the dead letters of Kafka, and what the relay has parked
  DATA_DIR                  otherwise: the streams in the SQLite file. Stop the service before; the letters are delivered with its next start`;

interface GroupArguments {
  readonly group?: string;
}

export const deadLetterCommands = (program: Command): void => {
  const letters = program.command('dead-letters').description('messages that a consumer or the relay has given up');
  letters
    .command('list')
    .description('show them with their reasons, oldest first')
    .option('--group <name>', 'of one consumer group')
    .addHelpText('after', HELP)
    .action(async ({ group }: GroupArguments, command: Command) => {
      const groups = await (await load()).listDeadLetters(group);
      const rows = groups.flatMap(({ group: name, letters: given }) =>
        given.map(({ at, reason, origin, message, source, redriven }) => {
          const subject = message?.subject ?? source?.subject;
          return [
            name,
            new Date(at).toISOString(),
            message?.type,
            subject,
            message?.esrevision ?? source?.esrevision,
            redriven && 'yes',
            reason,
            origin,
          ];
        }),
      );
      terminalOf(command).show({ groups }, table(['GROUP', 'AT', 'TYPE', 'SESSION', 'REVISION', 'REDRIVEN', 'REASON', 'ORIGIN'], rows));
    });
  letters
    .command('redrive')
    .description('hand them to their group again, each once: after an upgrade, or when the cause is mended')
    .option('--group <name>', 'to one consumer group')
    .addHelpText('after', HELP)
    .action(async ({ group }: GroupArguments, command: Command) => {
      const groups = await (await load()).redriveDeadLetters(group);
      const rows = groups.map(({ group: name, redriven, unreadable }) => [name, redriven, unreadable]);
      terminalOf(command).show({ groups }, table(['GROUP', 'REDRIVEN', 'UNREADABLE'], rows));
    });
};

/** Loaded on demand: every other command runs without a store. */
const load = () => import('../store/dead-letters.js');
