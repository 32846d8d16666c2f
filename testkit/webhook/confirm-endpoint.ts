import type { ClientId, EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

/** Confirms an endpoint as if its receiver had proved itself, for tests of what comes after. `at`: epoch milliseconds. */
export const confirmEndpoint = async (
  endpoints: Pick<WebhookEndpoints, 'of' | 'handle'>,
  { clientId, endpointId, at }: { readonly clientId: ClientId; readonly endpointId: EndpointId; readonly at: number },
): Promise<void> => {
  const { unconfirmed } = (await endpoints.of(clientId)).find((each) => each.endpointId === endpointId) ?? {};
  if (!unconfirmed) throw new Error('no unconfirmed endpoint of this id');
  await endpoints.handle(clientId, { type: 'ConfirmWebhookEndpoint', now: at, endpointId, proofId: unconfirmed.proofId });
};
