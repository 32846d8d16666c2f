import type { Command } from 'commander';

import { Refusal } from '../failures.js';
import type { CopiedErasures } from '../store/erasures.js';
import { table } from '../table.js';
import { terminalOf } from '../terminal.js';

const HELP = `
The list names the persons to erase again when the event store is restored from an older copy: random ids and times, nothing personal.
It is the service's own, by its settings: the topic erasures.v1 with KAFKA_BROKERS, otherwise DATA_DIR/erasures.jsonl. The service may run.
Export and import only add entries; none is ever removed. Each line carries a MAC under event.json in KEY_DIR: import refuses a file with a line that the
service has not written.`;

const REPAIR_HELP = `
For a list that raises the alarm ErasureListFaults (its runbook). Stop the service, check the list, find out who has changed it, and repeat with what the check has printed.
The file of the lines that the service has written is made anew, each person once. No person whom the service has listed is lost. It is refused
  while the service runs, for the topic of Kafka, and for a list that has changed since the check
  with a line under a key that event.json lacks: put the key back
  with a person whom only a line of another party names: bring an erased one back by import, name another one with --drop
  where a line is gone: import the newest copy of the list, or repeat with --accept-missing
It needs the keys (KEY_DIR) and ENVIRONMENT of the service.`;

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
    .addHelpText('after', HELP)
    .action(async (file: string, _: unknown, command: Command) => show(command, 'the list', await (await load()).importErasures(file)));
  erasures
    .command('check')
    .description('show what is wrong with the list, which changes nothing; it ends with 1 if something is')
    .action(async (_: unknown, command: Command) => check(command));
  erasures
    .command('repair')
    .description('make the list in DATA_DIR anew of the lines that the service has written, after you have judged its faults')
    .requiredOption('--reviewed <digest>', 'what `erasures check` has printed of the list that you have judged')
    .requiredOption('--keep <file>', 'a file to be made: the list as it was')
    .option('--drop <person...>', 'persons whom only lines of another party name, and who are not to be erased')
    .option('--accept-missing', 'go on without lines that are gone and that no copy has', false)
    .addHelpText('after', REPAIR_HELP)
    .action(async (options: { reviewed: string; keep: string; drop?: readonly string[]; acceptMissing: boolean }, command: Command) => {
      const { entries } = await (await loadRepair()).repairErasures(options);
      terminalOf(command).show({ entries }, `the list was made anew: ${entries} persons. As it was: ${options.keep}`);
    });
};

const check = async (command: Command): Promise<void> => {
  const { entries, faults, reviewed } = await (await loadRepair()).checkErasures();
  const rows = faults.map(({ place, reason, identityId, erasedAt }) => [place, reason, identityId, timeOf(erasedAt)]);
  const digest = reviewed === undefined ? '' : `\n--reviewed ${reviewed}`;
  terminalOf(command).show(
    { entries, faults, ...(reviewed !== undefined && { reviewed }) },
    `${table(['PLACE', 'FAULT', 'PERSON', 'ERASED AT'], rows)}\nthe list has ${entries} persons${digest}`,
  );
  if (faults.length > 0) throw new Refusal(`faults: ${faults.length}`);
};

/** A line of another party may name any number. */
const timeOf = (erasedAt: number): string | number => (Math.abs(erasedAt) <= LATEST ? new Date(erasedAt).toISOString() : erasedAt);

/** The latest time of a Date, epoch milliseconds (ECMA-262, Time Values and Time Range). */
const LATEST = 8.64e15;

const loadRepair = () => import('../store/repair-erasures.js');

const show = (command: Command, list: string, done: CopiedErasures): void =>
  terminalOf(command).show({ ...done }, `${done.added} persons added; ${list} has ${done.entries}`);

/** Loaded on demand: every other command runs without the engines' drivers. */
const load = () => import('../store/erasures.js');
