import type { Command } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { UsageFailure } from '../failures.js';
import { fields, table } from '../table.js';
import { secondsIn, timeText } from '../times.js';

interface EndpointOptions {
  readonly url?: string;
  readonly eventType?: readonly string[];
}

export const webhookCommands = (program: Command): void => {
  const webhooks = program.command('webhooks').description("a client's webhook endpoints, and what became of the messages to them");

  webhooks
    .command('list <clientId>')
    .description('all endpoints')
    .action(async (clientId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.all(pathOf(clientId), 'webhookEndpoints');
      const rows = found.map((endpoint) => [
        endpoint['endpointId'],
        endpoint['url'],
        stateOf(endpoint),
        endpoint['eventTypes'],
        confirmedIn(endpoint),
      ]);
      terminal.show({ webhookEndpoints: found }, table(['ENDPOINT ID', 'URL', 'STATE', 'EVENT TYPES', 'CONFIRMED'], rows));
    });

  webhooks
    .command('add <clientId>')
    .description('add an endpoint; its secret is shown this once')
    .requiredOption('--url <url>', 'where messages go: https on a public host')
    .option('--event-type <type...>', 'the events to send, such as session.completed; default: all')
    .action(async (clientId: string, options: EndpointOptions, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const added = await api.post(pathOf(clientId), termsIn(options));
      terminal.show(added, fields({ endpoint_id: added['endpointId'], secret: added['secret'] }));
      terminal.note(
        'Keep the secret now: it is not shown again. Nothing is sent until the receiver has proved that it verifies signatures: see `webhooks ping`.',
      );
    });

  webhooks
    .command('update <clientId> <endpointId>')
    .description('change the given settings; the others stay as they are')
    .option('--url <url>', 'another address')
    .option('--event-type <type...>', 'the events to send from now on')
    .action(async (clientId: string, endpointId: string, options: EndpointOptions, command: Command) => {
      const changes = termsIn(options);
      if (Object.keys(changes).length === 0) throw new UsageFailure('nothing to change: give --url or --event-type');
      await change(clientId, endpointId, changes, command);
    });

  for (const [name, enabled, meaning] of [
    ['enable', true, 'send again what happens from now on'],
    ['disable', false, 'send nothing until it is enabled again'],
  ] as const) {
    webhooks
      .command(`${name} <clientId> <endpointId>`)
      .description(meaning)
      .action((clientId: string, endpointId: string, _options: object, command: Command) => change(clientId, endpointId, { enabled }, command));
  }

  webhooks
    .command('remove <clientId> <endpointId>')
    .description('remove an endpoint, with what is under way to it')
    .option('--yes', 'do not ask')
    .action(async (clientId: string, endpointId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`What is under way to ${endpointId} will not arrive. Go on?`, yes);
      await api.delete(pathOf(clientId, endpointId));
      terminal.show({ endpointId, removed: true }, `Removed ${endpointId}.`);
    });

  webhooks
    .command('rotate-secret <clientId> <endpointId>')
    .description('a new secret; for 24 hours messages carry a signature with each')
    .action(async (clientId: string, endpointId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const rotated = await api.post(`${pathOf(clientId, endpointId)}/rotate-secret`);
      terminal.show(rotated, fields({ secret: rotated['secret'] }));
      terminal.note('Keep the secret now: it is not shown again.');
    });

  webhooks
    .command('ping <clientId> <endpointId>')
    .description('send endpoint.ping; to an unconfirmed endpoint three rightly and three wrongly signed ones, by which its receiver proves itself')
    .action(async (clientId: string, endpointId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const sent = await api.post(`${pathOf(clientId, endpointId)}/ping`);
      terminal.show(sent, `On its way: ${String(sent['deliveryId'])}.`);
    });

  webhooks
    .command('deliveries <clientId> <endpointId>')
    .description('what became of the messages of the last 30 days, the newest first')
    .option('--limit <count>', 'how many, 1 to 100', '50')
    .option('--after <deliveryId>', 'only deliveries older than this one')
    .action(async (clientId: string, endpointId: string, { limit, after }: { limit: string; after?: string }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.get(
        `${pathOf(clientId, endpointId)}/deliveries?${new URLSearchParams({ limit, ...(after !== undefined && { after }) }).toString()}`,
      );
      terminal.show(
        found,
        table(['DELIVERY ID', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST', 'LAST AT', 'NEXT AT', 'SESSION'], deliveriesIn(found).map(deliveryRow)),
      );
    });

  webhooks
    .command('retry <clientId> <endpointId> <deliveryId>')
    .description('send a message again that did not arrive')
    .action(async (clientId: string, endpointId: string, deliveryId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const due = await api.post(`${pathOf(clientId, endpointId)}/deliveries/${encodeURIComponent(deliveryId)}/retry`);
      terminal.show(due, `On its way: ${deliveryId}.`);
    });

  webhooks
    .command('recover <clientId> <endpointId>')
    .description('send again all that happened in a span of time and did not arrive')
    .requiredOption('--since <time>', 'such as 2026-01-31T12:00:00Z', secondsIn)
    .option('--until <time>', 'default: now', secondsIn)
    .action(async (clientId: string, endpointId: string, span: { since: number; until?: number }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const done = await api.post(`${pathOf(clientId, endpointId)}/recover`, { ...span });
      terminal.show(done, `On their way: ${String(done['recovered'])}.`);
    });
};

const pathOf = (clientId: string, endpointId?: string): string =>
  `/clients/${encodeURIComponent(clientId)}/webhook-endpoints${endpointId === undefined ? '' : `/${encodeURIComponent(endpointId)}`}`;

const change = async (clientId: string, endpointId: string, changes: JsonBody, command: Command): Promise<void> => {
  const { api, terminal } = await contextOf(command);
  const changed = await api.patch(pathOf(clientId, endpointId), changes);
  terminal.show(
    changed,
    fields({
      endpoint_id: endpointId,
      url: changed['url'],
      state: stateOf(changed),
      'event types': changed['eventTypes'],
      confirmed: confirmedIn(changed),
    }),
  );
};

const stateOf = ({ enabled, disabledBecause, failingSince }: JsonBody): string =>
  `${enabled === true ? 'enabled' : `disabled: ${String(disabledBecause)}`}${failingSince === undefined ? '' : `, failing since ${timeText(failingSince)}`}`;

/** Nothing is sent to an unconfirmed endpoint. */
const confirmedIn = ({ state, unconfirmedBecause }: JsonBody): string => (state === 'unconfirmed' ? `no: ${String(unconfirmedBecause)}` : 'yes');

const termsIn = ({ url, eventType }: EndpointOptions): JsonBody => ({
  ...(url !== undefined && { url }),
  ...(eventType && { event_types: eventType }),
});

const deliveriesIn = ({ deliveries }: JsonBody): readonly JsonBody[] => (Array.isArray(deliveries) ? (deliveries as JsonBody[]) : []);

const deliveryRow = ({ deliveryId, type, state, attempts, nextAttemptAt, sessionId }: JsonBody): readonly unknown[] => {
  const made = Array.isArray(attempts) ? (attempts as JsonBody[]) : [];
  const last = made.at(-1);
  return [deliveryId, type, state, made.length, last?.['status'] ?? last?.['error'], timeText(last?.['at']), timeText(nextAttemptAt), sessionId];
};
