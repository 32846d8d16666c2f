import { type Command, Option } from 'commander';

import type { JsonBody } from '../admin-api.js';
import { contextOf } from '../context.js';
import { UsageFailure } from '../failures.js';
import { fields, table } from '../table.js';

interface TermsOptions {
  readonly name?: string;
  readonly redirectUri?: readonly string[];
  readonly attribute?: readonly string[];
  readonly predicate?: readonly string[];
  readonly nothing?: boolean;
}

export const clientCommands = (program: Command): void => {
  const clients = program.command('clients').description('relying parties that may log people in');

  clients
    .command('list')
    .description('all clients')
    .action(async (_options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.all('/clients', 'clients');
      terminal.show(
        { clients: found },
        table(
          ['CLIENT ID', 'NAME', 'STATE', 'REDIRECT URIS'],
          found.map(({ clientId, name, enabled, redirectUris }) => [clientId, name, stateText(enabled), redirectUris]),
        ),
      );
    });

  clients
    .command('create')
    .description('register a client; its secret is shown this once')
    .requiredOption('--name <name>', 'what people see on their phone, 3 to 64 characters')
    .requiredOption('--redirect-uri <uri...>', 'where a login may end; compared exactly; repeatable')
    .option('--attribute <name...>', 'what it may ask about a person, such as name')
    .option('--predicate <name...>', "what it may have answered, such as ageOver18, or 'ageOver*' for every age")
    .action(async (options: TermsOptions, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const created = await api.post('/clients', termsIn(options));
      terminal.show(created, fields({ client_id: created['clientId'], client_secret: created['clientSecret'] }));
      terminal.note('Keep the secret now: it is not shown again.');
    });

  clients
    .command('show <clientId>')
    .description('one client')
    .action(async (clientId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const client = await api.get(`/clients/${encodeURIComponent(clientId)}`);
      terminal.show(client, clientText(client));
    });

  clients
    .command('update <clientId>')
    .description('change the given settings; the others stay as they are')
    .option('--name <name>', 'another name')
    .option('--redirect-uri <uri...>', 'the redirect URIs from now on, all of them')
    .option('--attribute <name...>', 'the attributes it may ask from now on, all of them')
    .option('--predicate <name...>', 'the predicates it may ask from now on, all of them')
    .addOption(new Option('--nothing', 'from now on it may ask no attribute and no predicate').conflicts(['attribute', 'predicate']))
    .action(async (clientId: string, options: TermsOptions, command: Command) => {
      const changes = termsIn(options);
      if (Object.keys(changes).length === 0)
        throw new UsageFailure('nothing to change: give --name, --redirect-uri, --attribute, --predicate or --nothing');
      const { api, terminal } = await contextOf(command);
      const client = await api.patch(`/clients/${encodeURIComponent(clientId)}`, changes);
      terminal.show(client, clientText(client));
    });

  for (const [name, meaning] of [
    ['disable', 'accept nothing from it until it is enabled again'],
    ['enable', 'accept it again'],
  ] as const) {
    clients
      .command(`${name} <clientId>`)
      .description(meaning)
      .action(async (clientId: string, _options: object, command: Command) => {
        const { api, terminal } = await contextOf(command);
        const client = await api.post(`/clients/${encodeURIComponent(clientId)}/${name}`);
        terminal.show(client, clientText(client));
      });
  }

  clients
    .command('delete <clientId>')
    .description('delete it for good, with its webhook endpoints and its logo')
    .option('--yes', 'do not ask')
    .action(async (clientId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const path = `/clients/${encodeURIComponent(clientId)}`;
      const { name } = await api.get(path);
      await terminal.confirm(`${clientId} (${String(name)}) will be gone for good, with its secret and its webhook endpoints. Go on?`, yes);
      await api.delete(path);
      terminal.show({ clientId, deleted: true }, `Deleted ${clientId}.`);
    });

  clients
    .command('rotate-secret <clientId>')
    .description('issue a new secret; the old one is dead at once')
    .option('--yes', 'do not ask')
    .action(async (clientId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`The old secret of ${clientId} stops working at once. Go on?`, yes);
      const issued = await api.post(`/clients/${encodeURIComponent(clientId)}/secret`);
      terminal.show(issued, fields({ client_secret: issued['clientSecret'] }));
      terminal.note('Keep the secret now: it is not shown again.');
    });
};

const termsIn = ({ name, redirectUri, attribute, predicate, nothing }: TermsOptions): JsonBody => ({
  ...(name !== undefined && { name }),
  ...(redirectUri && { redirect_uris: redirectUri }),
  ...(attribute && { allowed_attributes: attribute }),
  ...(predicate && { allowed_predicates: predicate }),
  ...(nothing && { allowed_attributes: [], allowed_predicates: [] }),
});

const stateText = (enabled: unknown): string => (enabled === false ? 'disabled' : 'enabled');

const clientText = ({ clientId, name, enabled, redirectUris, allowedAttributes, allowedPredicates }: JsonBody): string =>
  fields({
    client_id: clientId,
    name: name,
    state: stateText(enabled),
    'redirect URIs': redirectUris,
    attributes: allowedAttributes,
    predicates: allowedPredicates,
  });
