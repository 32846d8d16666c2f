import type { ClientId, EndpointId } from '#kernel';

import { deliveryChannel, requested, retryRequested } from './delivery-request.js';

const delivery = {
  clientId: '00000000-0000-4000-8000-0000000000c1' as ClientId,
  endpointId: '00000000-0000-4000-8000-0000000000e1' as EndpointId,
  deliveryId: '00000000-0000-4000-8000-0000000000d1',
  message: { type: 'session.scanned', happenedAt: 1_767_225_600_000, data: { sessionId: 's', sequence: 1 } },
};
const ended = { ...delivery, state: 'exhausted', attempts: 3, tries: 3, nextAt: 1, changedAt: 1 } as const;
const request = requested(delivery);

describe('the channel of delivery requests', () => {
  it('takes what it sends, and a repetition is the same message', () => {
    expect(deliveryChannel.refuse(request)).toBeUndefined();
    expect(deliveryChannel.refuse(retryRequested(delivery.endpointId, ended))).toBeUndefined();
    expect(deliveryChannel.refuse(requested({ ...delivery, message: { ...delivery.message, type: 'endpoint.ping' } }))).toBeUndefined();
    expect(deliveryChannel.refuse(requested({ ...delivery, message: { ...delivery.message, type: 'openid.ping' } }))).toBeUndefined();
    expect(requested(delivery)).toEqual(request);
  });

  it('gives each retry an id of its own', () => {
    expect(request.id).toBe(delivery.deliveryId);
    expect(retryRequested(delivery.endpointId, ended).id).toBe(`${delivery.deliveryId}.3`);
  });

  it('continues the trace of the event', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(requested(delivery, traceparent)).toEqual({ ...request, traceparent });
    expect(retryRequested(delivery.endpointId, ended, traceparent)).toMatchObject({ traceparent });
    expect(requested(delivery)).not.toHaveProperty('traceparent');
  });

  it('takes the earliest and the last time, and no attempts and very many', () => {
    const at = (happenedAt: number) => ({ ...request, data: { ...request.data, message: { ...delivery.message, happenedAt } } });
    const after = (attempts: number) => ({ ...request, type: 'delivery.retry_requested', data: { ...request.data, attempts } });
    const [last, most] = [8_640_000_000_000_000, 1_000_000];
    expect([at(0), at(last), after(0), after(most)].map((message) => deliveryChannel.refuse(message))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([at(last + 1), after(most + 1)].map((message) => deliveryChannel.refuse(message))).not.toContain(undefined);
  });

  it('says what is wrong', () => {
    expect(deliveryChannel.refuse({ ...request, type: 'session.scanned' })).toBe('unknown type');
    expect(deliveryChannel.refuse({ ...request, subject: 'x' })).toBe('data does not have the shape of delivery.requested');
  });

  it.each([
    ['a session event', { ...request, type: 'session.scanned' }],
    ['another endpoint than its key', { ...request, subject: '00000000-0000-4000-8000-0000000000e2' }],
    ['no id of a delivery', { ...request, data: { ...request.data, deliveryId: '../../d' } }],
    ['no client', { ...request, data: { ...request.data, clientId: undefined as never } }],
    ['a type that webhooks do not announce', { ...request, data: { ...request.data, message: { ...delivery.message, type: 'session.created' } } }],
    ['a time that is no number', { ...request, data: { ...request.data, message: { ...delivery.message, happenedAt: '0' } } }],
    ['no message', { ...request, data: { ...request.data, message: null } }],
    ['a message that is absent', { ...request, data: { ...request.data, message: undefined as never } }],
    ['data that are null', { ...request, data: { ...request.data, message: { ...delivery.message, data: null } } }],
    ['data that are a text', { ...request, data: { ...request.data, message: { ...delivery.message, data: 'text' } } }],
    ['data that are a list', { ...request, data: { ...request.data, message: { ...delivery.message, data: [] } } }],
    ['attempts of a new delivery', { ...request, data: { ...request.data, attempts: 1 } }],
    ['a retry without attempts', { ...request, type: 'delivery.retry_requested' }],
    ['a retry after -1 attempts', { ...request, type: 'delivery.retry_requested', data: { ...request.data, attempts: -1 } }],
  ])('refuses %s', (_, message) => {
    expect(deliveryChannel.refuse(message)).toEqual(expect.any(String));
  });
});
