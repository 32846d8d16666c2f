import type { Command } from 'commander';

import { Terminal } from '../terminal.js';

const HELP = `
For a store that lacks guarded events which were published (runbook HistoryIncomplete), and that nobody can bring back. It needs the keys (KEY_DIR), the places of checkpoints and the store (ESDB_URL, or DATA_DIR
with the service stopped) of the service.

A running service then asks on their phones the persons who had the role security at the newest checkpoint and have it in the store. Two of them have to confirm. Where there are no two, it asks
the phones of the staff, each of which can stop it, and goes on after the waiting time (PORTAL_PHONE_WAIT).`;

export const historyCommands = (program: Command): void => {
  const commands = program.command('history').description('the published history of the guarded events');
  commands
    .command('accept')
    .description('ask for the acceptance of the loss of guarded events')
    .addHelpText('after', HELP)
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

const terminalOf = (command: Command): Terminal => new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false);
