import { assertNever, type Decider } from '#kernel';

import type { ClientCommand } from './client.commands.js';
import { ClientNotFound, NameTaken } from './client.errors.js';
import { type ClientEvent, CLIENT_EVENTS } from './client.events.js';
import type { ClientState, ClientTerms } from './client.js';
import { checkTerms } from './client-terms.js';
import { addEndpoint, changeEndpoint, removeEndpoint, rotateSecret } from './webhook-decisions.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { evolveEndpoints } from './webhook-endpoints.evolve.js';

type Command<Type extends ClientCommand['type']> = Extract<ClientCommand, { type: Type }>;

const disable = (now: number, client: ClientState): ClientEvent[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client.enabled ? [{ type: 'ClientDisabled', data: { at: now } }] : [];
};

const enable = (now: number, client: ClientState): ClientEvent[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client.enabled ? [] : [{ type: 'ClientEnabled', data: { at: now } }];
};

const remove = (now: number, client: ClientState): ClientEvent[] => {
  if (client.status === 'DELETED') return [];
  const removed = endpointsOf(client).map(({ endpointId }): ClientEvent => ({ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } }));
  return [...removed, { type: 'ClientDeleted', data: { at: now } }];
};

/** The name reservation yields the client's id. If that client exists already, another client holds the name. */
const register = ({ now, terms, secretHash }: Command<'RegisterClient'>, client: ClientState): ClientEvent[] => {
  checkTerms(terms);
  if (client.status !== 'NONE') throw new NameTaken('a registered client holds the name');
  return [
    { type: 'ClientRegistered', data: { at: now, ...terms } },
    { type: 'SecretIssued', data: { at: now, secretHash } },
  ];
};

const change = (command: Command<'ChangeClient'>, client: ClientState): ClientEvent[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  checkTerms({ ...client.terms, ...command.changes });
  const changes = differences(client.terms, command.changes);
  return Object.keys(changes).length === 0 ? [] : [{ type: 'ClientChanged', data: { at: command.now, changes } }];
};

const issueSecret = ({ now, secretHash }: Command<'IssueSecret'>, client: ClientState): ClientEvent[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return [{ type: 'SecretIssued', data: { at: now, secretHash } }];
};

const endpointsOf = (client: ClientState): readonly WebhookEndpoint[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client.endpoints;
};

const differences = (terms: ClientTerms, wanted: Partial<ClientTerms>): Partial<ClientTerms> =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(terms[name as keyof ClientTerms])));

export const clientDecider: Decider<ClientState, ClientCommand, ClientEvent> = {
  initial: { status: 'NONE' },
  knows: CLIENT_EVENTS,

  decide(command, client) {
    switch (command.type) {
      case 'RegisterClient':
        return register(command, client);
      case 'ChangeClient':
        return change(command, client);
      case 'IssueSecret':
        return issueSecret(command, client);
      case 'DisableClient':
        return disable(command.now, client);
      case 'EnableClient':
        return enable(command.now, client);
      case 'DeleteClient':
        return remove(command.now, client);
      case 'AddWebhookEndpoint':
        return addEndpoint(command, endpointsOf(client));
      case 'ChangeWebhookEndpoint':
        return changeEndpoint(command, endpointsOf(client));
      case 'RemoveWebhookEndpoint':
        return removeEndpoint(command, endpointsOf(client));
      case 'RotateWebhookSecret':
        return rotateSecret(command, endpointsOf(client));
      default:
        return assertNever(command);
    }
  },

  evolve(client, event) {
    switch (event.type) {
      case 'ClientRegistered': {
        const { at: _, ...terms } = event.data;
        return { status: 'REGISTERED', terms, secretHash: '', enabled: true, endpoints: [] };
      }
      case 'ClientChanged':
        return client.status !== 'REGISTERED' ? client : { ...client, terms: { ...client.terms, ...event.data.changes } };
      case 'SecretIssued':
        return client.status !== 'REGISTERED' ? client : { ...client, secretHash: event.data.secretHash };
      case 'ClientDisabled':
      case 'ClientEnabled':
        return client.status !== 'REGISTERED' ? client : { ...client, enabled: event.type === 'ClientEnabled' };
      case 'ClientDeleted':
        return client.status === 'REGISTERED' ? { status: 'DELETED', terms: client.terms } : client;
      case 'WebhookEndpointAdded':
      case 'WebhookEndpointChanged':
      case 'WebhookEndpointRemoved':
      case 'WebhookSecretRotated':
        return client.status !== 'REGISTERED' ? client : { ...client, endpoints: evolveEndpoints(client.endpoints, event) };
      default:
        return assertNever(event);
    }
  },
};
