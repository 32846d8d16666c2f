import type { Command } from 'commander';

import type { CopiedErasures } from '../store/erasures.js';
import { terminalOf } from '../terminal.js';

const HELP = `
The list names the persons to erase again when the event store is restored from an older copy: random ids and times, nothing personal.
It is the service's own, by its settings: the topic erasures.v1 with KAFKA_BROKERS, otherwise DATA_DIR/erasures.jsonl. The service may run.
Both commands only add entries; none is ever removed. Each line carries a MAC under event.json in KEY_DIR: import refuses a file with a line that the
service has not written.`;

export const erasureCommands = (program: Command): void => {
  const erasures = program.command('erasures').description('the list of erased persons, which has to outlive every backup');
  erasures
    .command('export')
    .description('add the persons on the list to a file')
    .argument('<file>', 'the copy; it is made if it is missing')
    .addHelpText('after', HELP)
    .action(async (file: string, _: unknown, command: Command) => show(command, file, await (await load()).exportErasures(file)));
  erasures
    .command('import')
    .description('bring a copy back: add its persons to the list')
    .argument('<file>', 'the copy')
    .option('--accept-unsigned', ACCEPT_UNSIGNED, false)
    .addHelpText('after', HELP)
    .action(async (file: string, options: { acceptUnsigned: boolean }, command: Command) =>
      show(command, 'the list', await (await load()).importErasures(file, options)),
    );
};

/** What the option of that name takes. */
export const ACCEPT_UNSIGNED = 'accept what an earlier release wrote without a MAC; use it only for a file that the service alone could write';

const show = (command: Command, list: string, done: CopiedErasures): void =>
  terminalOf(command).show({ ...done }, `${done.added} persons added; ${list} has ${done.entries}`);

/** Loaded on demand: every other command runs without the engines' drivers. */
const load = () => import('../store/erasures.js');
