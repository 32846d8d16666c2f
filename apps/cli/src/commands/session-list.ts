import type { Command } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { table } from '../table.js';
import { secondsIn, timeText } from '../times.js';

interface ListOptions {
  readonly client?: string;
  readonly status?: string;
  readonly type?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: string;
  readonly after?: string;
}

const HEADINGS = ['SESSION ID', 'TYPE', 'STATUS', 'REASON', 'CREATED AT', 'CHANGED AT', 'CLIENT ID'];

/** Adds `session list`. */
export const sessionListCommand = (session: Command): void => {
  session
    .command('list')
    .description('the sessions that are stored, the newest first; each option narrows the list')
    .option('--client <clientId>', 'of this client')
    .option('--status <status>', 'PENDING, SCANNED, CONFIRMED, COMPLETED, CANCELLED or EXPIRED')
    .option('--type <type>', 'AUTHENTICATION or SIGNING')
    .option('--since <time>', 'created then or later, such as 2026-01-31T12:00:00Z', secondsIn)
    .option('--until <time>', 'created before', secondsIn)
    .option('--limit <count>', 'how many, 1 to 100', '50')
    .option('--after <sessionId>', 'only sessions older than this one')
    .action(async (options: ListOptions, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.get(`/sessions?${queryOf(options).toString()}`);
      terminal.show(found, table(HEADINGS, sessionsIn(found).map(rowOf)));
      if (typeof found['next'] === 'string') terminal.note(`There are more: --after ${found['next']}`);
    });
};

const queryOf = ({ client, status, type, since, until, limit, after }: ListOptions): URLSearchParams => {
  const members = { client_id: client, status: status?.toUpperCase(), signature_type: type?.toUpperCase(), since, until, limit, after };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value));
  return query;
};

const sessionsIn = ({ sessions }: JsonBody): readonly JsonBody[] => (Array.isArray(sessions) ? (sessions as JsonBody[]) : []);

const rowOf = ({ sessionId, clientId, signatureType, status, reason, createdAt, changedAt }: JsonBody): readonly unknown[] => [
  sessionId,
  signatureType,
  status,
  reason,
  timeText(createdAt),
  timeText(changedAt),
  clientId,
];
