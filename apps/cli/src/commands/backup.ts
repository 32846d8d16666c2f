import { keySealOf } from '#service/config';
import { SystemRandomness } from '#kernel';
import { type Command, InvalidArgumentError } from 'commander';

import { type CliSettings, readSettings } from '../settings.js';
import { terminalOf } from '../terminal.js';

const BACKUP_HELP = `
It copies the SQLite file in DATA_DIR, with every event that was stored before, while the service runs or not. Run it as the service's user.
The keys in KEY_DIR are not in it: without them a backup cannot be used, so keep them apart. One of event.json authenticates the backup, for ENVIRONMENT.
For EventStoreDB: docs/operator.md.`;

const RESTORE_HELP = `
Stop the service before, and run it as the service's user. Persons who were erased since the backup are erased again when the service
starts, from the list in DATA_DIR/erasures.jsonl, which stays. If it was lost, give the newest copy of it with --erasures. Bring KEY_DIR there before: a backup,
and a list of erasures, that a service with these keys and this ENVIRONMENT has not made is refused.`;

export const backupCommands = (program: Command): void => {
  program
    .command('backup-key')
    .description('make a key pair for backups: the private key into a new file, the public one to the terminal')
    .argument('<file>', 'the file for the private key; keep it away from the service')
    .action(async (file: string, _: unknown, command: Command) => {
      const recipient = await (await import('../store/backup-key.js')).makeBackupKey(file);
      terminalOf(command).show({ recipient, file }, recipient);
    });
  program
    .command('backup')
    .description('copy the embedded store, encrypted to a public key')
    .requiredOption('--to <folder>', 'where the file is made; its name is the time')
    .requiredOption('--recipient <key...>', 'public keys, age1…; the private key of any one opens the backup')
    .option('--keep <number>', 'remove the oldest backups in the folder until so many are left', count)
    .addHelpText('after', BACKUP_HELP)
    .action(async ({ to, recipient, keep }: { to: string; recipient: string[]; keep?: number }, command: Command) => {
      const { backUp } = await import('../store/back-up.js');
      const done = await backUp({ ...locationOf(readSettings()), to, recipients: recipient, ...(keep !== undefined && { keep }) });
      const removed = done.removed.length > 0 ? `, ${done.removed.length} older removed` : '';
      const refused = done.refusedErasures > 0 ? `; ${done.refusedErasures} lines of erasures.jsonl are not the service's own, and not in it` : '';
      terminalOf(command).show({ ...done }, `${done.file}: ${done.size} bytes of the store${removed}${refused}`);
    });
  program
    .command('restore')
    .description('put the store of a backup into DATA_DIR')
    .argument('<file>', 'the backup')
    .requiredOption('--identity <file>', 'the private key')
    .option('--erasures <file>', 'a newer erasures.jsonl than the one in DATA_DIR')
    .option('--replace', 'remove the store that is there', false)
    .addHelpText('after', RESTORE_HELP)
    .action(async (file: string, { identity, erasures, ...chosen }: RestoreArguments, command: Command) => {
      const { restore } = await import('../store/restore.js');
      const lists = erasures !== undefined && { erasuresFile: erasures };
      const done = await restore({ ...locationOf(readSettings()), file, identityFile: identity, ...chosen, ...lists });
      const takenAt = new Date(done.takenAt).toISOString();
      const text = `The store is as of ${takenAt}, ${done.size} bytes. ${done.erasures} persons were erased since; the service erases them again when it starts.`;
      terminalOf(command).show({ ...done, takenAt }, text);
    });
};

interface RestoreArguments {
  readonly identity: string;
  readonly erasures?: string;
  readonly replace: boolean;
}

const locationOf = (settings: CliSettings) => {
  const { dataDirectory, keyDirectory, environment } = settings;
  return { dataDirectory, keyDirectory, environment, seal: keySealOf(settings, new SystemRandomness()) };
};

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 on');
  return value;
};
