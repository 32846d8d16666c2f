import type { ClientEvent } from './client.events.js';
import { changedEndpoint, type WebhookEndpoint } from './webhook-endpoint.js';

export type EndpointEvent = Extract<ClientEvent, { type: `Webhook${string}` }>;

/** The endpoints of a client after an event. */
export const evolveEndpoints = (endpoints: readonly WebhookEndpoint[], { type, data }: EndpointEvent): readonly WebhookEndpoint[] => {
  const { endpointId, at } = data;
  const change = (changed: (endpoint: WebhookEndpoint) => WebhookEndpoint) =>
    endpoints.map((endpoint) => (endpoint.endpointId === endpointId ? changed(endpoint) : endpoint));
  switch (type) {
    case 'WebhookEndpointAdded': {
      const { url, eventTypes, disabledBecause, sealedSecret } = data;
      const enabled = disabledBecause === null ? [{ from: at }] : [];
      return [...endpoints, { endpointId, url, eventTypes, disabledBecause, enabled, secrets: [{ sealed: sealedSecret }] }];
    }
    case 'WebhookEndpointChanged':
      return change((endpoint) => changedEndpoint(endpoint, at, data.changes));
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
