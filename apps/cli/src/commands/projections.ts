import type { Command } from 'commander';

import { contextOf } from '../context.js';
import { table } from '../table.js';

const HELP = `
A read model is a table in SQL that lists and look-ups are answered from. Rebuild one when the store was restored from a backup,
or when you do not trust its rows: it is emptied and built anew from the store. Until it is complete, a read of it is
answered with 503. Logins go on.`;

export const projectionCommands = (program: Command): void => {
  const projections = program.command('projections').description('the read models').addHelpText('after', HELP);

  projections
    .command('list')
    .description('every read model, and how far it has come')
    .action(async (_options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = (await api.get('/projections'))['projections'] as readonly Record<string, unknown>[];
      const rows = found.map(({ name, version, complete, position }) => [name, version, complete, position]);
      terminal.show({ projections: found }, table(['NAME', 'VERSION', 'COMPLETE', 'POSITION'], rows));
    });

  projections
    .command('rebuild <name>')
    .description('build a read model anew while the service runs')
    .action(async (name: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await api.post(`/projections/${encodeURIComponent(name)}/rebuild`);
      terminal.show({ name, rebuilding: true }, `The read model ${name} is being built anew: projections list tells when it is complete.`);
    });
};
