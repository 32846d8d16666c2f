import type { Command } from 'commander';

import type { Json } from '../admin-api.js';
import { contextOf } from '../context.js';
import { fields, table } from '../table.js';

export const sessionCommands = (program: Command): void => {
  const session = program.command('session').description('logins and signings');

  session
    .command('timeline <sessionId>')
    .description('what happened to a session, and when')
    .action(async (sessionId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const timeline = await api.get(`/sessions/${encodeURIComponent(sessionId)}/timeline`);
      const { clientId, status, events } = timeline;
      const rows = (Array.isArray(events) ? (events as Json[]) : []).map(({ at, sequence, type, ...details }) => [
        at,
        sequence,
        type,
        detailsText(details),
      ]);
      terminal.show(
        timeline,
        `${fields({ session: sessionId, client_id: clientId, status: status })}\n\n${table(['AT', '#', 'EVENT', 'DETAILS'], rows)}`,
      );
    });
};

const detailsText = (details: Json): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
