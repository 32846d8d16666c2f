import { generateKeyFiles, KEY_FILES, type KeyFileName, keySealOf, type ListedKey, listKeys, rotateKey, rotateSubjectKey } from '#service/config';
import { SystemClock, SystemRandomness } from '#kernel';
import { Argument, type Command } from 'commander';

import { UsageFailure } from '../failures.js';
import { type CliSettings, eventStoreOf, readSettings } from '../settings.js';
import { table } from '../table.js';
import { terminalOf } from '../terminal.js';
import { secondsIn } from '../times.js';
import { refusing, wrappingCommands } from './key-wrapping.js';

const HELP = `
The files lie in KEY_DIR (default $DATA_DIR/keys). A key itself is never printed; its fingerprint tells two copies apart.
A running service reads changed files within ten seconds.`;

const RETIRE_HELP = `
It reads every stored event, in ESDB_URL or else in the SQLite file in DATA_DIR; stop the service before in that case.`;

const ROTATE_HELP = `
A new key in subject.json gives every person another subjectId at every client, which then migrates its accounts:
  --dry-run    counts the accounts by client and changes nothing; it reads the store as retire does
  --until      both subjectIds are accepted until this time`;

/** Epoch seconds. */
interface RotateArguments {
  readonly from?: number;
  readonly until?: number;
  readonly dryRun?: boolean;
}

export const keyCommands = (program: Command): void => {
  const keys = program.command('keys').description('the key files').addHelpText('after', HELP);
  keys
    .command('generate')
    .description('make the files that are missing, each with a key of your own; it changes none that is there')
    .action((_: unknown, command: Command) =>
      refusing(async () => {
        const settings = readSettings();
        const { keyDirectory } = settings;
        const made = await generateKeyFiles(keyDirectory, toolsOf(settings));
        const text = made.length === 0 ? `Every key file is in ${keyDirectory}.` : `Made in ${keyDirectory}: ${made.join(', ')}.`;
        terminalOf(command).show({ directory: keyDirectory, made }, text);
      }),
    );
  keys
    .command('list')
    .description('every key with its state: next, current, former')
    .action((_: unknown, command: Command) => refusing(() => list(command, readSettings())));
  keys
    .command('rotate')
    .description('add a key for new values, used after ten minutes; the former one stays for old values')
    .addArgument(fileArgument())
    .option('--until <time>', 'of subject: the former subjectIds are accepted until then', secondsIn)
    .option('--from <time>', 'of subject: logins answer the new subjectIds from then on (default: in ten minutes)', secondsIn)
    .option('--dry-run', 'of subject: count the accounts')
    .addHelpText('after', ROTATE_HELP)
    .action((file: KeyFileName, options: RotateArguments, command: Command) => refusing(() => rotate(file, options, command)));
  keys
    .command('retire')
    .description('remove a former key; refused while a stored value names it')
    .addArgument(fileArgument())
    .argument('<id>', 'the id of the key')
    .addHelpText('after', RETIRE_HELP)
    .action(async (file: KeyFileName, id: string, _: unknown, command: Command) => {
      const { dataDirectory, keyDirectory, sessionRetention, ...settings } = readSettings();
      const { seal } = toolsOf(settings);
      await (await load()).retireKey({ file, id, dataDirectory, keyDirectory, sessionRetention, seal, ...eventStoreOf(settings) });
      terminalOf(command).show({ file, id, retired: true }, `The key ${id} is removed from ${file}.json. Remove it from your copies too.`);
    });
  wrappingCommands(keys);
};

const list = async (command: Command, settings: CliSettings): Promise<void> =>
  show(command, await listKeys(settings.keyDirectory, toolsOf(settings)));

const rotate = async (file: KeyFileName, { from, until, dryRun }: RotateArguments, command: Command): Promise<void> => {
  const settings = readSettings();
  if (file !== 'subject') {
    if (from !== undefined || until !== undefined || dryRun) throw new UsageFailure('--from, --until and --dry-run belong to subject alone');
    return show(command, [await rotateKey(settings.keyDirectory, file, toolsOf(settings))]);
  }
  if (dryRun) return showAccounts(command, settings);
  if (until === undefined) throw new UsageFailure('--until is missing: the time until which the former subjectIds are accepted');
  show(
    command,
    await rotateSubjectKey(settings.keyDirectory, { until: until * 1000, from: from === undefined ? undefined : from * 1000 }, toolsOf(settings)),
  );
};

const showAccounts = async (command: Command, { dataDirectory, ...settings }: CliSettings): Promise<void> => {
  const { countAccounts } = await loadCount();
  const counts = [...(await countAccounts({ dataDirectory, ...eventStoreOf(settings) }))].sort(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const rows = [...counts.map(([clientId, count]) => [clientId, String(count)]), ['total', String(total)]];
  terminalOf(command).show(
    { clients: counts.map(([clientId, accounts]) => ({ clientId, accounts })), accounts: total },
    table(['CLIENT', 'ACCOUNTS'], rows),
  );
};

const toolsOf = (settings: Partial<CliSettings>) => {
  const randomness = new SystemRandomness();
  return { clock: new SystemClock(), randomness, seal: keySealOf(settings, randomness) };
};

const fileArgument = (): Argument => new Argument('<file>', 'the file without .json').choices(KEY_FILES);

const show = (command: Command, keys: readonly ListedKey[]): void => {
  const entries = keys.map(({ notBefore, acceptedUntil, ...key }) => ({
    ...key,
    notBefore: new Date(notBefore).toISOString(),
    ...(acceptedUntil !== undefined && { acceptedUntil: new Date(acceptedUntil).toISOString() }),
  }));
  const rows = entries.map(({ file, id, state, notBefore, acceptedUntil = '', development, fingerprint }) => [
    file,
    id,
    state,
    notBefore,
    acceptedUntil,
    development ? 'development' : 'own',
    fingerprint,
  ]);
  terminalOf(command).show({ keys: entries }, table(['FILE', 'KEY', 'STATE', 'FROM', 'UNTIL', 'MADE FOR', 'FINGERPRINT'], rows));
};

/** Loaded on demand: every other command runs without a store. */
const load = () => import('../store/retire-key.js');

const loadCount = () => import('../store/count-accounts.js');
