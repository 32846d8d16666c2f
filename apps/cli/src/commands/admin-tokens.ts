import { type Command, Option } from 'commander';

import { contextOf } from '../context.js';
import { fields, table } from '../table.js';
import { secondsIn, timeText } from '../times.js';

const ROLES = ['read', 'support', 'operator', 'security'];

interface AddOptions {
  readonly name: string;
  readonly role: string;
  readonly expires: number;
  readonly route?: readonly string[];
  readonly client?: readonly string[];
}

export const adminTokenCommands = (program: Command): void => {
  const tokens = program.command('admin-tokens').description('named tokens of this API, each with a role and an end');

  tokens
    .command('list')
    .description('all tokens, revoked ones too')
    .action(async (_options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.all('/admin-tokens', 'adminTokens');
      const rows = found.map(({ tokenId, name, role, addedAt, expiresAt, revokedAt }) => [
        tokenId,
        name,
        role,
        timeText(addedAt),
        timeText(expiresAt),
        timeText(revokedAt),
      ]);
      terminal.show({ adminTokens: found }, table(['TOKEN ID', 'NAME', 'ROLE', 'ADDED', 'EXPIRES', 'REVOKED'], rows));
    });

  tokens
    .command('add')
    .description('add a token; it is shown this once')
    .requiredOption('--name <name>', 'a machine or a post, not a person: 3 to 64 of a-z 0-9 . _ -')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .requiredOption('--expires <time>', 'its end, within 400 days, such as 2027-01-31T12:00:00Z', secondsIn)
    .option(
      '--route <route...>',
      'what it may call, such as "GET /admin/v1/clients/:clientId" (default: the routes of its role that are not critical)',
    )
    .option('--client <clientId...>', 'the relying parties that it is for (default: all)')
    .action(async ({ name, role, expires, route: routes, client: clients }: AddOptions, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const added = await api.post('/admin-tokens', { name, role, expires_at: expires, ...(routes && { routes }), ...(clients && { clients }) });
      terminal.show(added, fields({ 'token ID': added['tokenId'], token: added['token'] }));
      terminal.note('Keep the token now: it is not shown again.');
    });

  tokens
    .command('revoke <tokenId>')
    .description('make a token unusable for good')
    .option('--yes', 'do not ask')
    .action(async (tokenId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`The token ${tokenId} is revoked for good. Go on?`, yes);
      await api.delete(`/admin-tokens/${encodeURIComponent(tokenId)}`);
      terminal.show({ tokenId, revoked: true }, `Revoked ${tokenId}.`);
    });
};
