import { InvalidRequest } from '#kernel';

import type { WebhookCommand } from './client.commands.js';
import { EndpointNotFound } from './client.errors.js';
import { MAX_ENDPOINTS, type WebhookEndpoint, type WebhookTerms } from './webhook-endpoint.js';
import type { EndpointEvent } from './webhook-endpoints.evolve.js';

type Command<Type extends WebhookCommand['type']> = Extract<WebhookCommand, { type: Type }>;
type Endpoints = readonly WebhookEndpoint[];

/** The use case has checked the URL already, because the allowed networks are configuration. */
export const addEndpoint = (
  { now, endpointId, terms, sealedSecret, proofId }: Command<'AddWebhookEndpoint'>,
  endpoints: Endpoints,
): EndpointEvent[] => {
  if (endpoints.length >= MAX_ENDPOINTS) throw new InvalidRequest(`A client has at most ${MAX_ENDPOINTS} webhook endpoints.`);
  return [{ type: 'WebhookEndpointAdded', data: { at: now, endpointId, ...terms, sealedSecret, proofId } }];
};

export const changeEndpoint = ({ now, endpointId, changes, proofId }: Command<'ChangeWebhookEndpoint'>, endpoints: Endpoints): EndpointEvent[] => {
  const endpoint = find(endpoints, endpointId);
  const changed = differences(endpoint, changes);
  if (Object.keys(changed).length === 0) return [];
  const proof = needsProof(endpoint, changes) && { proofId: proofId ?? missingProofId() };
  return [{ type: 'WebhookEndpointChanged', data: { at: now, endpointId, changes: changed, ...proof } }];
};

/** Whether the receiver has to prove itself after the changes: at another address, and when an unconfirmed endpoint is enabled, whose tries may be over. */
export const needsProof = (endpoint: WebhookEndpoint, { url = endpoint.url, disabledBecause }: Partial<WebhookTerms>): boolean =>
  url !== endpoint.url || (endpoint.unconfirmed !== undefined && endpoint.disabledBecause !== null && disabledBecause === null);

const missingProofId = (): never => {
  throw new Error('a change of the address needs the id of a proof');
};

/** A proof counts for the address that it was made at: none after another change. */
export const confirmEndpoint = ({ now, endpointId, proofId }: Command<'ConfirmWebhookEndpoint'>, endpoints: Endpoints): EndpointEvent[] =>
  find(endpoints, endpointId).unconfirmed?.proofId === proofId ? [{ type: 'WebhookEndpointConfirmed', data: { at: now, endpointId } }] : [];

export const failProof = ({ now, endpointId, proofId, because }: Command<'FailWebhookProof'>, endpoints: Endpoints): EndpointEvent[] => {
  const { unconfirmed } = find(endpoints, endpointId);
  if (unconfirmed?.proofId !== proofId || unconfirmed.because === because) return [];
  return [{ type: 'WebhookProofFailed', data: { at: now, endpointId, because } }];
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
