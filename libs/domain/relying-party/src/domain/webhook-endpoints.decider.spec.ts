import type { EndpointId } from '#kernel';
import { deciderSpec } from '#testkit/kernel/decider-spec';

import { clientDecider } from './client.decider.js';
import type { ClientEvent } from './client.events.js';
import type { ClientTerms } from './client.js';
import { isFor, MAX_ENDPOINTS, signingSecrets, WEBHOOK_EVENT_TYPES, type WebhookEndpoint, type WebhookTerms } from './webhook-endpoint.js';

const given = deciderSpec(clientDecider);
const now = Date.UTC(2026, 0, 1);
const client: ClientTerms = { name: 'Acme', redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
const registered: ClientEvent = { type: 'ClientRegistered', data: { at: now, ...client } };
const terms: WebhookTerms = { url: 'https://hooks.acme.example/', eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
const endpointId = 'e1' as EndpointId;
const unconfirmed: ClientEvent = { type: 'WebhookEndpointAdded', data: { at: now, endpointId, ...terms, sealedSecret: 'one', proofId: 'p1' } };
const confirmed: ClientEvent = { type: 'WebhookEndpointConfirmed', data: { at: now, endpointId } };
const added = [unconfirmed, confirmed];
const changed = (at: number, changes: Partial<WebhookTerms>): ClientEvent => ({ type: 'WebhookEndpointChanged', data: { at, endpointId, changes } });

describe('given no client', () => {
  it('refuses to add an endpoint', () => {
    given()
      .when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one', proofId: 'p1' })
      .refuses('client_not_found', 'no such client');
  });
});

describe('given a client', () => {
  it('adds an endpoint with its secret, which has to prove itself', () => {
    given(registered).when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one', proofId: 'p1' }).then(unconfirmed);
  });

  it('refuses the twenty-first endpoint', () => {
    given(registered, ...Array.from({ length: MAX_ENDPOINTS }, () => unconfirmed))
      .when({ type: 'AddWebhookEndpoint', now, endpointId, terms, sealedSecret: 'one', proofId: 'p1' })
      .refuses('invalid_request', 'A client has at most 20 webhook endpoints.');
  });

  it('refuses to change, remove or rotate an unknown endpoint', () => {
    const unknown = given(registered);
    unknown.when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: {} }).refuses('endpoint_not_found', 'no such endpoint of this client');
    unknown.when({ type: 'RemoveWebhookEndpoint', now, endpointId }).refuses('endpoint_not_found', 'no such endpoint of this client');
    unknown
      .when({ type: 'RotateWebhookSecret', now, endpointId, sealedSecret: 'two', previousUntil: now })
      .refuses('endpoint_not_found', 'no such endpoint of this client');
  });
});

describe('given an endpoint', () => {
  const endpoint = given(registered, ...added);

  it('records only what changed', () => {
    endpoint
      .when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: { ...terms, eventTypes: ['session.completed'] } })
      .then(changed(now, { eventTypes: ['session.completed'] }));
    endpoint.when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: terms }).nothing();
  });

  it('keeps the first reason for which it was disabled', () => {
    given(registered, ...added, changed(now, { disabledBecause: 'GONE' }))
      .when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: { disabledBecause: 'STAFF' } })
      .nothing();
  });

  it('is disabled with the reason, enabled again, and keeps its state when nothing is said of it', () => {
    const change = (changes: Partial<WebhookTerms>) => ({ type: 'ChangeWebhookEndpoint', now, endpointId, changes }) as const;
    endpoint.when(change({ disabledBecause: 'STAFF' })).then(changed(now, { disabledBecause: 'STAFF' }));
    endpoint.when(change({ disabledBecause: null })).nothing();
    const disabled = given(registered, ...added, changed(now, { disabledBecause: 'GONE' }));
    disabled.when(change({ disabledBecause: null })).then(changed(now, { disabledBecause: null }));
    disabled.when(change({ eventTypes: [] })).then(changed(now, { eventTypes: [] }));
  });

  it('gets a new secret, while the previous one signs too', () => {
    const previousUntil = now + 1;
    endpoint
      .when({ type: 'RotateWebhookSecret', now, endpointId, sealedSecret: 'two', previousUntil })
      .then({ type: 'WebhookSecretRotated', data: { at: now, endpointId, sealedSecret: 'two', previousUntil } });
  });

  it('is changed, and not the first one of the client', () => {
    const other = {
      ...unconfirmed,
      data: { ...unconfirmed.data, endpointId: 'e2' as EndpointId, url: 'https://other.acme.example/' },
    } as ClientEvent;
    given(registered, other, ...added)
      .when({ type: 'ChangeWebhookEndpoint', now, endpointId, changes: { url: terms.url } })
      .nothing();
  });

  it('leaves the other endpoints as they are when it changes', () => {
    const other = { ...unconfirmed, data: { ...unconfirmed.data, endpointId: 'e2' as EndpointId, sealedSecret: 'other' } } as ClientEvent;
    const [before] = endpointsAfter(...added, other);
    const rotated = {
      type: 'WebhookSecretRotated',
      data: { at: now, endpointId: 'e2' as EndpointId, sealedSecret: 'new', previousUntil: now },
    } as const;
    const changedOther = {
      type: 'WebhookEndpointChanged',
      data: { at: now, endpointId: 'e2' as EndpointId, changes: { url: 'https://b.example/' } },
    } as const;
    const after = endpointsAfter(...added, other, changedOther, rotated);
    expect(after[0]).toEqual(before);
    expect(after[1]).toMatchObject({ endpointId: 'e2', url: 'https://b.example/', secrets: [{ sealed: 'new' }, { sealed: 'other', until: now }] });
  });

  it('leaves the other endpoints when it is removed', () => {
    const other = { ...unconfirmed, data: { ...unconfirmed.data, endpointId: 'e2' as EndpointId } } as ClientEvent;
    const after = endpointsAfter(...added, other, { type: 'WebhookEndpointRemoved', data: { at: now, endpointId } });
    expect(after.map((endpoint) => endpoint.endpointId)).toEqual(['e2']);
  });

  it('is removed', () => {
    endpoint.when({ type: 'RemoveWebhookEndpoint', now, endpointId }).then({ type: 'WebhookEndpointRemoved', data: { at: now, endpointId } });
  });
});

describe('given an endpoint that has to prove itself', () => {
  const endpoint = given(registered, unconfirmed);
  const confirm = (proofId: string) => ({ type: 'ConfirmWebhookEndpoint', now, endpointId, proofId }) as const;
  const fail = (proofId: string) => ({ type: 'FailWebhookProof', now, endpointId, proofId, because: 'NO_ANSWER' }) as const;
  const failed: ClientEvent = { type: 'WebhookProofFailed', data: { at: now, endpointId, because: 'NO_ANSWER' } };
  const other = 'https://other.acme.example/';
  const move = { type: 'ChangeWebhookEndpoint', now, endpointId, changes: { url: other }, proofId: 'p2' } as const;
  const moved = { type: 'WebhookEndpointChanged', data: { at: now, endpointId, changes: { url: other }, proofId: 'p2' } } as const;
  const off = changed(now, { disabledBecause: 'STAFF' });
  const on = { type: 'ChangeWebhookEndpoint', now, endpointId, changes: { disabledBecause: null }, proofId: 'p2' } as const;

  it('is confirmed by its own proof once, and never by the proof of another address', () => {
    endpoint.when(confirm('p1')).then(confirmed);
    given(registered, unconfirmed, confirmed).when(confirm('p1')).nothing();
    given(registered, unconfirmed, moved).when(confirm('p1')).nothing();
    given(registered).when(confirm('p1')).refuses('endpoint_not_found', 'no such endpoint of this client');
  });

  it('tells why a try has proved nothing, once for each reason', () => {
    endpoint.when(fail('p1')).then(failed);
    given(registered, unconfirmed, failed).when(fail('p1')).nothing();
    given(registered, unconfirmed, confirmed).when(fail('p1')).nothing();
    given(registered, unconfirmed, moved).when(fail('p1')).nothing();
  });

  it('has to prove itself anew at another address, and when it is enabled before it was confirmed', () => {
    given(registered, unconfirmed, confirmed).when(move).then(moved);
    given(registered, unconfirmed, off)
      .when(on)
      .then({
        ...changed(now, { disabledBecause: null }),
        data: { at: now, endpointId, changes: { disabledBecause: null }, proofId: 'p2' },
      } as ClientEvent);
    given(registered, unconfirmed, confirmed, off)
      .when(on)
      .then(changed(now, { disabledBecause: null }));
  });

  it('gets only what happens while it is confirmed and enabled', () => {
    const at = (type: 'WebhookEndpointConfirmed', time: number): ClientEvent => ({ type, data: { at: time, endpointId } });
    const events = [
      unconfirmed,
      at('WebhookEndpointConfirmed', now + 10),
      { ...moved, data: { ...moved.data, at: now + 20 } } as ClientEvent,
      at('WebhookEndpointConfirmed', now + 30),
      changed(now + 40, { disabledBecause: 'STAFF' }),
    ];
    const [after] = endpointsAfter(...events);
    expect([0, 9, 10, 19, 20, 29, 30, 39, 40].filter((time) => isFor(after!, 'session.scanned', now + time))).toEqual([10, 19, 30, 39]);
    expect(endpointsAfter(unconfirmed, failed, moved)[0]?.unconfirmed).toEqual({ proofId: 'p2', because: 'NOT_TRIED' });
    expect(endpointsAfter(unconfirmed, failed)[0]?.unconfirmed).toEqual({ proofId: 'p1', because: 'NO_ANSWER' });
  });
});

const endpointsAfter = (...events: readonly ClientEvent[]): readonly WebhookEndpoint[] => {
  const { state } = given(registered, ...events);
  return state.status === 'REGISTERED' ? state.endpoints : [];
};

const endpointAfter = (...events: readonly ClientEvent[]): WebhookEndpoint => {
  const [endpoint] = endpointsAfter(...added, ...events);
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
};

describe('an event', () => {
  it('is for no endpoint that was disabled from the start, until it is enabled', () => {
    const disabled = { ...unconfirmed, data: { ...unconfirmed.data, disabledBecause: 'STAFF' } } as ClientEvent;
    const [before] = endpointsAfter(disabled, confirmed);
    expect(before).toMatchObject({ enabled: [] });
    expect(isFor(before!, 'session.scanned', now)).toBe(false);
    const [after] = endpointsAfter(disabled, confirmed, changed(now + 10, { disabledBecause: null }));
    expect([now + 9, now + 10].map((at) => isFor(after!, 'session.scanned', at))).toEqual([false, true]);
  });

  it('is for an endpoint that was enabled when the event happened', () => {
    const endpoint = endpointAfter(changed(now + 10, { disabledBecause: 'STAFF' }), changed(now + 20, { disabledBecause: null }));
    expect([now - 1, now, now + 9, now + 10, now + 19, now + 20].map((at) => isFor(endpoint, 'session.scanned', at))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('is for an endpoint that subscribed to its type', () => {
    const endpoint = endpointAfter(changed(now, { eventTypes: ['session.completed'] }));
    expect(['session.scanned', 'session.completed', 'session.created'].map((type) => isFor(endpoint, type, now))).toEqual([false, true, false]);
  });
});

describe('a rotated secret', () => {
  it('makes the previous secret sign until its end, and no older one', () => {
    const rotated = (sealedSecret: string, previousUntil: number): ClientEvent => ({
      type: 'WebhookSecretRotated',
      data: { at: now, endpointId, sealedSecret, previousUntil },
    });
    const endpoint = endpointAfter(rotated('two', now + 10));
    expect(signingSecrets(endpoint, now + 9)).toEqual(['two', 'one']);
    expect(signingSecrets(endpoint, now + 10)).toEqual(['two']);
    expect(signingSecrets(endpointAfter(rotated('two', now + 10), rotated('three', now + 10)), now)).toEqual(['three', 'two']);
  });
});
