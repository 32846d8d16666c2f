import type { EndpointId } from '#kernel';
import { deciderSpec } from '#kernel/testing';

import { clientDecider } from './client.decider.js';
import type { ClientEvent } from './client.events.js';
import type { ClientTerms } from './client.js';
import { isFor, MOST_ENDPOINTS, signingSecrets, WEBHOOK_EVENT_TYPES, type WebhookEndpoint, type WebhookTerms } from './webhook-endpoint.js';

const given = deciderSpec(clientDecider);
const now = Date.UTC(2026, 0, 1);
const client: ClientTerms = { name: 'Acme', redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
const registered: ClientEvent = { type: 'ClientRegistered', data: { at: now, ...client } };
const terms: WebhookTerms = { url: 'https://hooks.acme.example/', eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
const endpointId = 'e1' as EndpointId;
const added: ClientEvent = { type: 'WebhookEndpointAdded', data: { at: now, endpointId, ...terms, sealedSecret: 'one' } };
const changed = (at: number, changes: Partial<WebhookTerms>): ClientEvent => ({ type: 'WebhookEndpointChanged', data: { at, endpointId, changes } });

describe('given no client', () => {
  it('knows no endpoints', () => {
    given().when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one' }).refuses('client_not_found', 'no such client');
  });
});

describe('given a client', () => {
  it('adds an endpoint with its secret', () => {
    given(registered).when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one' }).then(added);
  });

  it('has a bounded number of endpoints', () => {
    given(registered, ...Array.from({ length: MOST_ENDPOINTS }, () => added))
      .when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one' })
      .refuses('invalid_request', 'A client has at most 20 webhook endpoints.');
  });

  it('changes, removes and rotates only what is there', () => {
    const unknown = given(registered);
    unknown.when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: {} }).refuses('endpoint_not_found', 'no such endpoint of this client');
    unknown.when({ type: 'RemoveWebhookEndpoint', now, endpointId }).refuses('endpoint_not_found', 'no such endpoint of this client');
    unknown.when({ type: 'RotateWebhookSecret', now, endpointId, sealedSecret: 'two', previousUntil: now }).refuses('endpoint_not_found', 'no such endpoint of this client');
  });
});

describe('given an endpoint', () => {
  const endpoint = given(registered, added);

  it('records only what changed', () => {
    endpoint.when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: { ...terms, url: 'https://new.acme.example/' } }).then(changed(now, { url: 'https://new.acme.example/' }));
    endpoint.when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: terms }).nothing();
  });

  it('keeps the first reason for which it was disabled', () => {
    given(registered, added, changed(now, { disabledBecause: 'GONE' })).when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: { disabledBecause: 'STAFF' } }).nothing();
  });

  it('is removed', () => {
    endpoint.when({ type: 'RemoveWebhookEndpoint', now, endpointId }).then({ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } });
  });
});

const endpointAfter = (...events: readonly ClientEvent[]): WebhookEndpoint => {
  const { state } = given(registered, added, ...events);
  const endpoint = state.status === 'NONE' ? undefined : state.endpoints[0];
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
};

describe('an event', () => {
  it('is for the endpoints that were enabled when it happened, whenever that is asked', () => {
    const endpoint = endpointAfter(changed(now + 10, { disabledBecause: 'STAFF' }), changed(now + 20, { disabledBecause: null }));
    expect([now - 1, now, now + 9, now + 10, now + 19, now + 20].map((at) => isFor(endpoint, 'session.scanned', at))).toEqual([false, true, true, false, false, true]);
  });

  it('is for the endpoints that ask for its type', () => {
    const endpoint = endpointAfter(changed(now, { eventTypes: ['session.completed'] }));
    expect(['session.scanned', 'session.completed', 'session.created'].map((type) => isFor(endpoint, type, now))).toEqual([false, true, false]);
  });
});

describe('a rotated secret', () => {
  it('signs beside the new one for a day, and a third one never does', () => {
    const rotated = (sealedSecret: string, previousUntil: number): ClientEvent => ({ type: 'WebhookSecretRotated', data: { at: now, endpointId, sealedSecret, previousUntil } });
    const endpoint = endpointAfter(rotated('two', now + 10));
    expect(signingSecrets(endpoint, now + 9)).toEqual(['two', 'one']);
    expect(signingSecrets(endpoint, now + 10)).toEqual(['two']);
    expect(signingSecrets(endpointAfter(rotated('two', now + 10), rotated('three', now + 10)), now)).toEqual(['three', 'two']);
  });
});
