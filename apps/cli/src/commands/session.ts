import type { Command } from 'commander';

import { pause, retry } from '#kernel';

import type { AdminApi, JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { Unavailable } from '../failures.js';
import { fields, table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { sessionListCommand } from './session-list.js';

/** Milliseconds between two reads of a session that is watched. */
const WATCH_INTERVAL = 1_000;
/** With `--watch`: the failed reads in a row that are tolerated, for a service that restarts. */
const MAX_FAILURES = 30;

const ENDS = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

export const sessionCommands = (program: Command): void => {
  const session = program.command('session').description('logins and signings');
  sessionListCommand(session);

  session
    .command('timeline <sessionId>')
    .description('what happened to a session, and when')
    .option('--watch', 'go on with what happens, until the session has ended; with --json, a line for each event')
    .action(async (sessionId: string, { watch = false }: { watch?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const timeline = await timelineOf(api, sessionId);
      if (watch) return watchTimeline(timeline, () => timelineOf(api, sessionId), terminal);
      terminal.show(timeline, `${headOf(timeline)}\n\n${table(HEADINGS, eventsIn(timeline).map(rowOf))}`);
    });
};

const HEADINGS = ['AT', '#', 'EVENT', 'DETAILS'];

const timelineOf = (api: AdminApi, sessionId: string): Promise<JsonBody> => api.get(`/sessions/${encodeURIComponent(sessionId)}/timeline`);

/** Shows each event once, in order, until the session has ended. Throws {@link Unavailable} when the service remains unavailable. */
const watchTimeline = async (first: JsonBody, read: () => Promise<JsonBody>, terminal: Terminal): Promise<void> => {
  terminal.note(headOf(first));
  let timeline = first;
  let shown = 0;
  const waits = Array.from({ length: MAX_FAILURES }, () => WATCH_INTERVAL);
  for (;;) {
    const events = eventsIn(timeline);
    for (const event of events.slice(shown)) terminal.line(event, rowOf(event).join('  '));
    shown = Math.max(shown, events.length);
    if (ENDS.has(String(timeline['status']))) return;
    await pause(WATCH_INTERVAL);
    timeline = await retry(read, { waits, when: (error) => error instanceof Unavailable });
  }
};

const headOf = ({ sessionId, clientId, status }: JsonBody): string => fields({ session: sessionId, client_id: clientId, status });

const eventsIn = ({ events }: JsonBody): readonly JsonBody[] => (Array.isArray(events) ? (events as JsonBody[]) : []);

const rowOf = ({ at, sequence, type, ...details }: JsonBody): readonly string[] => [
  String(at),
  typeof sequence === 'number' ? String(sequence) : '',
  String(type),
  detailsText(details),
];

const detailsText = (details: JsonBody): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
