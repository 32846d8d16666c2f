import { InvalidRequest } from '#kernel';

import type { WebhookCommand } from './client.commands.js';
import { EndpointNotFound } from './client.errors.js';
import { MAX_ENDPOINTS, type WebhookEndpoint, type WebhookTerms } from './webhook-endpoint.js';
import type { EndpointEvent } from './webhook-endpoints.evolve.js';

type Command<Type extends WebhookCommand['type']> = Extract<WebhookCommand, { type: Type }>;
type Endpoints = readonly WebhookEndpoint[];

/** The use case has checked the URL already, because the allowed networks are configuration. */
export const addEndpoint = ({ now, endpointId, terms, sealedSecret }: Command<'AddWebhookEndpoint'>, endpoints: Endpoints): EndpointEvent[] => {
  if (endpoints.length >= MAX_ENDPOINTS) throw new InvalidRequest(`A client has at most ${MAX_ENDPOINTS} webhook endpoints.`);
  return [{ type: 'WebhookEndpointAdded', data: { at: now, endpointId, ...terms, sealedSecret } }];
};

export const changeEndpoint = ({ now, endpointId, changes }: Command<'ChangeWebhookEndpoint'>, endpoints: Endpoints): EndpointEvent[] => {
  const changed = differences(find(endpoints, endpointId), changes);
  return Object.keys(changed).length === 0 ? [] : [{ type: 'WebhookEndpointChanged', data: { at: now, endpointId, changes: changed } }];
};

export const removeEndpoint = ({ now, endpointId }: Command<'RemoveWebhookEndpoint'>, endpoints: Endpoints): EndpointEvent[] => {
  find(endpoints, endpointId);
  return [{ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } }];
};

export const rotateSecret = (
  { now, endpointId, sealedSecret, previousUntil }: Command<'RotateWebhookSecret'>,
  endpoints: Endpoints,
): EndpointEvent[] => {
  find(endpoints, endpointId);
  return [{ type: 'WebhookSecretRotated', data: { at: now, endpointId, sealedSecret, previousUntil } }];
};

const find = (endpoints: Endpoints, endpointId: string): WebhookEndpoint => {
  const endpoint = endpoints.find((each) => each.endpointId === endpointId);
  if (!endpoint) throw new EndpointNotFound('no such endpoint of this client');
  return endpoint;
};

/** An endpoint that is disabled already keeps its first reason. `null` enables it. */
const differences = (endpoint: WebhookEndpoint, { disabledBecause, ...wanted }: Partial<WebhookTerms>): Partial<WebhookTerms> => ({
  ...Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(endpoint[name as keyof WebhookTerms])),
  ),
  ...(disabledBecause !== undefined && (disabledBecause === null) !== (endpoint.disabledBecause === null) && { disabledBecause }),
});
