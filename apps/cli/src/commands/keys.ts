import { generateKeyFiles, KEY_FILES, KeyChangeRefused, type KeyFileName, type ListedKey, listKeys, rotateKey } from '#config';
import { SystemClock, SystemRandomness } from '#kernel';
import { Argument, type Command } from 'commander';

import { Refusal } from '../failures.js';
import { eventStoreOf, readSettings } from '../settings.js';
import type { RetireOptions } from '../store/retire-options.js';
import { table } from '../table.js';
import { Terminal } from '../terminal.js';

const HELP = `
The files lie in KEY_DIR (default $DATA_DIR/keys). A key itself is never printed; its fingerprint tells two copies apart.
A running service reads changed files within ten seconds.`;

const RETIRE_HELP = `
It reads every stored event, in ESDB_URL or else in the SQLite file in DATA_DIR; stop the service before in that case.`;

export const keyCommands = (program: Command): void => {
  const keys = program.command('keys').description('the key files').addHelpText('after', HELP);
  keys
    .command('generate')
    .description('make the files that are missing, each with a key of your own; it changes none that is there')
    .action((_: unknown, command: Command) =>
      refusing(async () => {
        const { keyDirectory } = readSettings();
        const made = await generateKeyFiles(keyDirectory, tools);
        const text = made.length === 0 ? `Every key file stands in ${keyDirectory}.` : `Made in ${keyDirectory}: ${made.join(', ')}.`;
        terminalOf(command).show({ directory: keyDirectory, made }, text);
      }),
    );
  keys
    .command('list')
    .description('every key with its state: next, current, former')
    .action((_: unknown, command: Command) => refusing(async () => show(command, await listKeys(readSettings().keyDirectory, tools))));
  keys
    .command('rotate')
    .description('add a key that makes new values after ten minutes; the former one goes on checking')
    .addArgument(fileArgument())
    .action((file: KeyFileName, _: unknown, command: Command) =>
      refusing(async () => show(command, [await rotateKey(readSettings().keyDirectory, file, tools)])),
    );
  keys
    .command('retire')
    .description('remove a former key; refused while a stored value names it')
    .addArgument(fileArgument())
    .argument('<id>', 'the id of the key')
    .addHelpText('after', RETIRE_HELP)
    .action(async (file: KeyFileName, id: string, _: unknown, command: Command) => {
      const { dataDirectory, keyDirectory, ...settings } = readSettings();
      await (await load()).retireKey({ file, id, dataDirectory, keyDirectory, ...eventStoreOf(settings) });
      terminalOf(command).show({ file, id, retired: true }, `The key ${id} is removed from ${file}.json. Remove it from your copies too.`);
    });
};

const tools = { clock: new SystemClock(), randomness: new SystemRandomness() };

const fileArgument = (): Argument => new Argument('<file>', 'the file without .json').choices(KEY_FILES);

const show = (command: Command, keys: readonly ListedKey[]): void => {
  const entries = keys.map(({ notBefore, ...key }) => ({ ...key, notBefore: new Date(notBefore).toISOString() }));
  const rows = entries.map(({ file, id, state, notBefore, development, fingerprint }) => [
    file,
    id,
    state,
    notBefore,
    development ? 'development' : 'own',
    fingerprint,
  ]);
  terminalOf(command).show({ keys: entries }, table(['FILE', 'KEY', 'STATE', 'FROM', 'MADE FOR', 'FINGERPRINT'], rows));
};

const terminalOf = (command: Command): Terminal => new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false);

const refusing = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof KeyChangeRefused) throw new Refusal(error.message, { cause: error });
    throw error;
  }
};

/** Loaded on demand: every other command runs without a store. */
const load = async () =>
  (await import(new URL('../store/retire-key.js', import.meta.url).href)) as { retireKey(options: RetireOptions): Promise<void> };
