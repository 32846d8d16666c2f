import { assertNever, type Decider } from '#kernel';

import type { ClientCommand } from './client.commands.js';
import { NameTaken } from './client.errors.js';
import { type ClientEvent, CLIENT_EVENTS } from './client.events.js';
import type { ClientState, RegisteredClient } from './client.js';
import { acceptChange, askChange, evolveConsent, refuseChange, withdrawChange } from './client-consent.js';
import { checkTerms, differences } from './client-terms.js';
import { registered } from './registered.js';
import { addEndpoint, changeEndpoint, confirmEndpoint, failProof, removeEndpoint, rotateSecret } from './webhook-decisions.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { evolveEndpoints } from './webhook-endpoints.evolve.js';

type Command<Type extends ClientCommand['type']> = Extract<ClientCommand, { type: Type }>;

const disable = (now: number, client: ClientState): ClientEvent[] =>
  registered(client).enabled ? [{ type: 'ClientDisabled', data: { at: now } }] : [];

const enable = (now: number, client: ClientState): ClientEvent[] =>
  registered(client).enabled ? [] : [{ type: 'ClientEnabled', data: { at: now } }];

const remove = (now: number, client: ClientState): ClientEvent[] => {
  if (client.status === 'DELETED') return [];
  return [...withoutEndpoints(now, registered(client)), { type: 'ClientDeleted', data: { at: now } }];
};

const withoutEndpoints = (now: number, { endpoints }: RegisteredClient): ClientEvent[] =>
  endpoints.map(({ endpointId }) => ({ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } }));

/** Registers the service's own client, or changes it after another setting or key. No request changes it. */
const keep = ({ now, terms, secretHash }: Command<'KeepClient'>, client: ClientState): ClientEvent[] => {
  const secret: ClientEvent = { type: 'SecretIssued', data: { at: now, secretHash } };
  if (client.status !== 'REGISTERED') return [{ type: 'ClientRegistered', data: { at: now, ...terms } }, secret];
  const changes = differences(client.terms, terms);
  return [
    ...(Object.keys(changes).length === 0 ? [] : [{ type: 'ClientChanged', data: { at: now, changes } } as const]),
    ...(client.secretHash === secretHash ? [] : [secret]),
  ];
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
  const { terms } = registered(client);
  checkTerms({ ...terms, ...command.changes });
  const changes = differences(terms, command.changes);
  return Object.keys(changes).length === 0 ? [] : [{ type: 'ClientChanged', data: { at: command.now, changes } }];
};

const issueSecret = ({ now, secretHash }: Command<'IssueSecret'>, client: ClientState): ClientEvent[] => {
  registered(client);
  return [{ type: 'SecretIssued', data: { at: now, secretHash } }];
};

const endpointsOf = (client: ClientState): readonly WebhookEndpoint[] => registered(client).endpoints;

export const clientDecider: Decider<ClientState, ClientCommand, ClientEvent> = {
  initial: { status: 'NONE' },
  knows: CLIENT_EVENTS,

  decide(command, client) {
    switch (command.type) {
      case 'RegisterClient':
        return register(command, client);
      case 'ChangeClient':
        return change(command, client);
      case 'KeepClient':
        return keep(command, client);
      case 'AskClientChange':
        return askChange(command, registered(client));
      case 'AcceptClientChange':
        return acceptChange(command, registered(client));
      case 'RefuseClientChange':
        return refuseChange(command, registered(client));
      case 'WithdrawClientChange':
        return withdrawChange(command, registered(client));
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
      case 'ConfirmWebhookEndpoint':
        return confirmEndpoint(command, endpointsOf(client));
      case 'FailWebhookProof':
        return failProof(command, endpointsOf(client));
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
        const { at: secretIssuedAt, ...terms } = event.data;
        return { status: 'REGISTERED', terms, secretHash: '', secretIssuedAt, enabled: true, endpoints: [] };
      }
      case 'ClientChanged':
        return client.status !== 'REGISTERED' ? client : { ...client, terms: { ...client.terms, ...event.data.changes } };
      case 'ClientChangeAsked':
      case 'ClientChangeAccepted':
      case 'ClientChangeRefused':
      case 'ClientChangeWithdrawn':
        return client.status !== 'REGISTERED' ? client : evolveConsent(client, event);
      case 'SecretIssued':
        return client.status !== 'REGISTERED' ? client : { ...client, secretHash: event.data.secretHash, secretIssuedAt: event.data.at };
      case 'ClientDisabled':
      case 'ClientEnabled':
        return client.status !== 'REGISTERED' ? client : { ...client, enabled: event.type === 'ClientEnabled' };
      case 'ClientDeleted':
        return client.status === 'REGISTERED' ? { status: 'DELETED', terms: client.terms } : client;
      case 'WebhookEndpointAdded':
      case 'WebhookEndpointChanged':
      case 'WebhookEndpointConfirmed':
      case 'WebhookProofFailed':
      case 'WebhookEndpointRemoved':
      case 'WebhookSecretRotated':
        return client.status !== 'REGISTERED' ? client : { ...client, endpoints: evolveEndpoints(client.endpoints, event) };
      default:
        return assertNever(event);
    }
  },
};
