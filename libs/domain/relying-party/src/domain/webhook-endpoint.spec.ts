import type { EndpointId } from '#kernel';

import { changedEndpoint, type WebhookEndpoint } from './webhook-endpoint.js';

const endpoint: WebhookEndpoint = {
  endpointId: 'e' as EndpointId,
  url: 'https://shop.example/hook',
  eventTypes: ['session.completed'],
  disabledBecause: null,
  enabled: [{ from: 1 }],
  secrets: [{ sealed: 'one' }],
};
const disabled: WebhookEndpoint = { ...endpoint, disabledBecause: 'STAFF', enabled: [{ from: 1, until: 5 }] };
const url = 'https://shop.example/other';

describe('the spans in which an endpoint was enabled', () => {
  it('end when it is disabled, and begin anew when it is enabled', () => {
    expect(changedEndpoint(endpoint, 5, { disabledBecause: 'STAFF' })).toEqual(disabled);
    expect(changedEndpoint(disabled, 9, { disabledBecause: null })).toEqual({ ...endpoint, enabled: [{ from: 1, until: 5 }, { from: 9 }] });
  });

  it('stay as they are when something else changes, or nothing', () => {
    expect(changedEndpoint(endpoint, 5, { url })).toEqual({ ...endpoint, url });
    expect(changedEndpoint(disabled, 9, { url })).toEqual({ ...disabled, url });
    expect(changedEndpoint(endpoint, 5, { disabledBecause: null })).toEqual(endpoint);
    expect(changedEndpoint(disabled, 9, { disabledBecause: 'GONE' })).toEqual({ ...disabled, disabledBecause: 'GONE' });
  });

  it('begin with the first time that it is enabled', () => {
    const never: WebhookEndpoint = { ...endpoint, disabledBecause: 'STAFF', enabled: [] };
    expect(changedEndpoint(never, 3, { url })).toEqual({ ...never, url });
    expect(changedEndpoint(never, 3, { disabledBecause: null })).toEqual({ ...endpoint, enabled: [{ from: 3 }] });
  });
});
