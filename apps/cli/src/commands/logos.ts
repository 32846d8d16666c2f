import { readFile, writeFile } from 'node:fs/promises';

import type { Command } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { UsageFailure } from '../failures.js';
import { table } from '../table.js';

/** A logo as `/admin/v1` answers it. */
interface Logo {
  readonly hash: string;
  /** Base64 of a PNG. */
  readonly image: string;
  readonly width: number;
  readonly height: number;
}

export const logoCommands = (program: Command): void => {
  const logos = program.command('logos').description("a client's logo on the hosted page");

  logos
    .command('show <clientId>')
    .description('the logo that people see, and the one that waits for approval')
    .option('--save <file>', 'write the one that waits, or else the one that is shown, to this PNG file')
    .action(async (clientId: string, { save }: { save?: string }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.get(pathOf(clientId));
      const newest = logoIn(found, 'waiting') ?? logoIn(found, 'shown');
      if (save !== undefined) {
        if (!newest) throw new UsageFailure('--save: the client has no logo');
        await writeFile(save, Buffer.from(newest.image, 'base64'));
      }
      terminal.show(found, logosText(found));
    });

  logos
    .command('upload <clientId> <file>')
    .description('upload a PNG of at most 32 KiB, 32 to 512 pixels wide and high')
    .action(async (clientId: string, file: string, _options: object, command: Command) => {
      const image = (await bytesOf(file)).toString('base64');
      const { api, terminal } = await contextOf(command);
      const found = await api.put(pathOf(clientId), { image });
      terminal.show(found, logosText(found));
      if (logoIn(found, 'waiting')) terminal.note('It waits: people see it once staff has approved its hash.');
    });

  logos
    .command('approve <clientId> <hash>')
    .description('show the logo with this hash to people; look at it before, with show --save')
    .action(async (clientId: string, hash: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.post(`${pathOf(clientId)}/approval`, { hash });
      terminal.show(found, logosText(found));
    });

  logos
    .command('remove <clientId>')
    .description('remove the logo, and the one that waits')
    .option('--yes', 'do not ask')
    .action(async (clientId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`People will see ${clientId} without a logo. Go on?`, yes);
      await api.delete(pathOf(clientId));
      terminal.show({ clientId, removed: true }, `Removed the logo of ${clientId}.`);
    });
};

const pathOf = (clientId: string): string => `/clients/${encodeURIComponent(clientId)}/logo`;

const bytesOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: unknown) => {
    throw new UsageFailure(`${file}: cannot be read`, { cause });
  });

const logoIn = (found: JsonBody, member: 'shown' | 'waiting'): Logo | undefined => found[member] as Logo | undefined;

const logosText = (found: JsonBody): string =>
  table(
    ['STATE', 'WIDTH', 'HEIGHT', 'HASH'],
    (['shown', 'waiting'] as const).flatMap((state) => {
      const logo = logoIn(found, state);
      return logo ? [[state, logo.width, logo.height, logo.hash]] : [];
    }),
  );
