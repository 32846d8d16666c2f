import type { Command } from 'commander';

import { Terminal } from '../terminal.js';

const HELP = `
For the day on which no person with the role security can act any more. It needs the keys (KEY_DIR) and the store (ESDB_URL, or DATA_DIR with the service stopped) of the service.

  1. ask   makes an entry on the audit trail and an alarm. The staff is told in the portal and on the phones, and each of them can stop it.
           The waiting time (PORTAL_PHONE_WAIT) begins when a running service has seen it, and goes by the clock of that service.
  2. use   prints an activation link and a join link for the named person, once. ADMIN_TOKEN leads to further persons with security until enough are there.

Both are refused while a living person with security has a usable phone.`;

interface PersonArguments {
  readonly person: string;
}

export const breakGlassCommands = (program: Command): void => {
  const commands = program.command('break-glass').description('a way back when no person with the role security can act');
  commands
    .command('ask')
    .description('ask for a way back for one person')
    .requiredOption('--person <identityId>', 'who is to have the role security')
    .addHelpText('after', HELP)
    .action(async ({ person }: PersonArguments, command: Command) => {
      await (await load()).askBreakGlass(person);
      terminalOf(command).show({ asked: true }, 'asked; start the service, and run `break-glass use` after the waiting time');
    });
  commands
    .command('use')
    .description('print the links, after the waiting time')
    .requiredOption('--person <identityId>', 'the person who was named')
    .addHelpText('after', HELP)
    .action(async ({ person }: PersonArguments, command: Command) => {
      const links = await (await load()).useBreakGlass(person);
      terminalOf(command).show({ ...links }, `first a phone: ${links.activationLink}\nthen the portal: ${links.invitationLink}`);
    });
};

const terminalOf = (command: Command): Terminal => new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false);

/** Loaded on demand: every other command runs without a store. */
const load = () => import('../store/break-glass.js');
