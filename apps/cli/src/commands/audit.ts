import type { Command } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { table } from '../table.js';
import { timeText } from '../times.js';

interface ListOptions {
  readonly limit: string;
  readonly after?: string;
  readonly proofs?: boolean;
}

const HEADINGS = ['SEQUENCE', 'TIME', 'PHASE', 'ACTOR', 'ROLE', 'ACTION', 'TARGET', 'STATUS', 'ERROR'];

export const auditCommands = (program: Command): void => {
  program
    .command('audit')
    .description('who has changed what')
    .command('list')
    .description('the audit trail, newest first; a change has an entry before it and one with its outcome')
    .option('--limit <count>', 'how many, 1 to 100', '50')
    .option('--after <sequence>', 'only entries before this one')
    .option('--proofs', 'with the proof of each entry: save the answer with --json for `history verify --entry`')
    .action(async ({ limit, after, proofs = false }: ListOptions, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const query = new URLSearchParams({ limit, ...(after !== undefined && { after }), ...(proofs && { proofs: 'true' }) });
      const found = await api.get(`/audit?${query.toString()}`);
      const entries = Array.isArray(found['entries']) ? (found['entries'] as JsonBody[]) : [];
      terminal.show(
        found,
        proofs
          ? table(
              [...HEADINGS, 'HISTORY'],
              entries.map((entry) => [...rowOf(entry), stateOf(entry)]),
            )
          : table(HEADINGS, entries.map(rowOf)),
      );
      if (found['next'] !== undefined) terminal.note(`There are more: --after ${JSON.stringify(found['next'])}`);
    });
};

/** Whether the signed history has the entry; empty where none is published. */
const stateOf = ({ proof }: JsonBody): unknown => (Object(proof) as JsonBody)['state'];

const rowOf = ({ sequence, at, phase, actor, role, action, target, status, errorCode }: JsonBody): readonly unknown[] => [
  sequence,
  timeText(at),
  phase,
  actor,
  role,
  action,
  Object.values((target ?? {}) as JsonBody),
  status,
  errorCode,
];
