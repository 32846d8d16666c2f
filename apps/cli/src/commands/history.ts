import type { Command } from 'commander';

import { Incomplete, UsageFailure } from '../failures.js';
import type { Verified } from '../store/published-history.js';
import { terminalOf } from '../terminal.js';

const ACCEPT_HELP = `
The command is for a store that lacks published guarded events (runbook HistoryIncomplete), when these events cannot be restored. It needs the keys (KEY_DIR), the places of checkpoints and the store (ESDB_URL, or DATA_DIR
with the service stopped) of the service.

A running service then asks on their phones the persons who had the role security at the newest checkpoint and have it in the store. Two of them have to confirm. Where there are no two, it asks
the phones of the staff, each of which can stop it, and goes on after the waiting time (PORTAL_PHONE_WAIT).`;

const VERIFY_HELP = `
It needs the public key and the files, and nothing else of the service: no store, no KEY_DIR, no connection. Have the key told by a way that the service does not know, and keep it.
Of a folder it shows that the newest checkpoint was signed, that the leaves are those that it counts, and that the history begins with each checkpoint that you have kept: nothing was taken back since.
Of an entry of the audit trail (--entry: the proof that the portal saves, or an answer of GET /admin/v1/audit?proofs=true) it shows that the signed history has it, word for word.

Exit codes:
  0 all is right   1 something is wrong: another signature, other leaves or entries, or another history than was signed before   2 wrong command line, or a file or the folder cannot be read
  5 nothing was published there yet, or an entry was younger than its checkpoint: save it again`;

export const historyCommands = (program: Command): void => {
  const commands = program.command('history').description('the published history of the guarded events');
  commands
    .command('key')
    .description('print the public keys of the checkpoints, for those who verify them; it needs the keys (KEY_DIR) and ENVIRONMENT of the service')
    .action(async (_: unknown, command: Command) => {
      const keys = await (await import('../store/history.js')).publicKeys();
      terminalOf(command).show({ keys }, keys.join('\n'));
    });
  commands
    .command('verify [folder]')
    .description('check from outside what was published in a folder (ANCHOR_DIR, or a copy of it), and entries of the audit trail')
    .requiredOption('--key <key...>', 'public keys as `history key` prints them, or files with such keys, one a line')
    .option('--earlier <file...>', 'checkpoints that you have kept: the history has to begin with each of them')
    .option('--entry <file...>', 'entries of the audit trail with their proofs')
    .option('--keep <folder>', 'a folder of your own: its checkpoints count as --earlier, and the newest one is added')
    .addHelpText('after', VERIFY_HELP)
    .action(async (folder: string | undefined, options: VerifyOptions, command: Command) => verify(folder, options, command));
  commands
    .command('accept')
    .description('ask for the acceptance of the loss of guarded events')
    .addHelpText('after', ACCEPT_HELP)
    .action(async (_: unknown, command: Command) => {
      const { published, stored, lost } = await (await import('../store/history.js')).acceptLoss();
      const count = lost.reduce((sum, [first, last]) => sum + last - first + 1, 0);
      const sizes = `published: ${published.size} events, root ${published.root}\nin the store: ${stored?.size ?? 0} events, root ${stored?.root ?? 'unknown'}`;
      terminalOf(command).show(
        { published, stored: stored ?? null, lost: count },
        `lost: ${count} guarded events\n${sizes}\nasked; start the service, which asks on the phones`,
      );
    });
};

interface VerifyOptions {
  readonly key: readonly string[];
  readonly earlier?: readonly string[];
  readonly keep?: string;
  readonly entry?: readonly string[];
}

const verify = async (folder: string | undefined, { key, earlier = [], keep, entry = [] }: VerifyOptions, command: Command): Promise<void> => {
  if (folder === undefined && (entry.length === 0 || earlier.length > 0 || keep !== undefined))
    throw new UsageFailure('name the folder of the checkpoints, or entries with --entry alone');
  const { verifyHistory } = await import('../store/published-history.js');
  const { history, compared, entries } = await verifyHistory({ folder, keys: key, earlier, keep, entries: entry });
  const pending = entries.filter(({ state }) => state === 'PENDING').length;
  const found = history && reportOf(history);
  terminalOf(command).show(
    { ...found?.json, ...(history && { earlier: compared }), ...(entry.length > 0 && { entries }) },
    [
      ...(found?.lines ?? []),
      ...(history
        ? [compared === 0 ? 'It was compared with no earlier checkpoint.' : `Earlier checkpoints: ${compared}. It begins with each of them.`]
        : []),
      ...entries.map(entryLine),
    ].join('\n'),
  );
  if (pending > 0) throw new Incomplete(`younger than the checkpoint that was saved with them: ${pending} entries`);
};

const reportOf = ({ checkpoint, types }: NonNullable<Verified['history']>): { readonly json: object; readonly lines: readonly string[] } => {
  const { origin, size, at } = checkpoint;
  const [root, signedAt] = [checkpoint.root.toString('base64'), new Date(at).toISOString()];
  const acceptedLosses = types.get('LossAccepted') ?? 0;
  return {
    json: { origin, size, root, signedAt, types: Object.fromEntries(types), acceptedLosses },
    lines: [
      `${origin}: ${size} events, signed at ${signedAt}, root ${root}`,
      'The leaves are those that were signed.',
      ...(acceptedLosses > 0 ? [`Losses that were accepted: ${acceptedLosses}. Ask the operator for each of them.`] : []),
    ],
  };
};

const entryLine = ({ sequence, state }: Verified['entries'][number]): string => {
  if (state === 'PENDING') return `Entry ${sequence} of the audit trail is younger than the checkpoint.`;
  return `Entry ${sequence} of the audit trail was published, word for word.`;
};
