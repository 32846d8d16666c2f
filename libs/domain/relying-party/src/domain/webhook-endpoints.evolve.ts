import type { ClientEvent } from './client.events.js';
import { changedEndpoint, confirmedEndpoint, type WebhookEndpoint } from './webhook-endpoint.js';

export type EndpointEvent = Extract<ClientEvent, { type: `Webhook${string}` }>;

/** The endpoints of a client after an event. */
export const evolveEndpoints = (endpoints: readonly WebhookEndpoint[], { type, data }: EndpointEvent): readonly WebhookEndpoint[] => {
  const { endpointId, at } = data;
  const change = (changed: (endpoint: WebhookEndpoint) => WebhookEndpoint) =>
    endpoints.map((endpoint) => (endpoint.endpointId === endpointId ? changed(endpoint) : endpoint));
  switch (type) {
    case 'WebhookEndpointAdded': {
      const { url, eventTypes, disabledBecause, sealedSecret, proofId } = data;
      const added = { endpointId, url, eventTypes, disabledBecause, enabled: [], secrets: [{ sealed: sealedSecret }] };
      return [...endpoints, changedEndpoint(added, at, {}, proofId)];
    }
    case 'WebhookEndpointChanged':
      return change((endpoint) => changedEndpoint(endpoint, at, data.changes, data.proofId));
    case 'WebhookEndpointConfirmed':
      return change((endpoint) => confirmedEndpoint(endpoint, at));
    case 'WebhookProofFailed':
      return change((endpoint) => ({
        ...endpoint,
        ...(endpoint.unconfirmed && { unconfirmed: { ...endpoint.unconfirmed, because: data.because } }),
      }));
    case 'WebhookEndpointRemoved':
      return endpoints.filter((endpoint) => endpoint.endpointId !== endpointId);
    case 'WebhookSecretRotated':
      return change((endpoint) => ({ ...endpoint, secrets: rotated(endpoint, data.sealedSecret, data.previousUntil) }));
  }
};

const rotated = ({ secrets }: WebhookEndpoint, sealed: string, previousUntil: number): WebhookEndpoint['secrets'] => [
  { sealed },
  ...secrets.slice(0, 1).map((previous) => ({ sealed: previous.sealed, until: previousUntil })),
];
