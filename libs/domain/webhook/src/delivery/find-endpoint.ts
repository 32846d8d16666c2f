import type { ClientId, EndpointId } from '#kernel';
import { EndpointNotFound, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';

/** One endpoint of a client. Throws ClientNotFound, and EndpointNotFound also when it belongs to another client. */
export const findEndpoint = async (endpoints: WebhookEndpoints, clientId: ClientId, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  endpointIn(await endpoints.of(clientId), endpointId);

/** The same for a request that sends messages. Also throws OwnClientRefused. */
export const findEndpointToCall = async (endpoints: WebhookEndpoints, clientId: ClientId, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  endpointIn(await endpoints.toCall(clientId), endpointId);

/** Throws EndpointNotFound. */
export const endpointIn = (endpoints: readonly WebhookEndpoint[], endpointId: EndpointId): WebhookEndpoint => {
  const endpoint = endpoints.find((each) => each.endpointId === endpointId);
  if (!endpoint) throw new EndpointNotFound('no such endpoint of this client');
  return endpoint;
};
