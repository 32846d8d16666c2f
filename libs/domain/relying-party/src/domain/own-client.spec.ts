import { type ClientId, Secret } from '#kernel';

import { OwnClient, portalClientId } from './own-client.js';

const keyOf = (fill: number) => ({ id: 'index', key: new Secret(Buffer.alloc(32, fill)) });

describe("the service's own client", () => {
  it('has one id in all processes of an installation, and another one elsewhere', () => {
    expect(portalClientId(keyOf(1), 'prod')).toBe(portalClientId(keyOf(1), 'prod'));
    expect(new Set([portalClientId(keyOf(1), 'prod'), portalClientId(keyOf(1), 'test'), portalClientId(keyOf(2), 'prod')]).size).toBe(3);
  });

  it('keeps its id, under which the persons have their subjectIds', () => {
    expect(portalClientId(keyOf(1), 'test')).toBe('3e790d34-d7fe-8bfa-8e8a-1fb370d031cd');
  });

  it('keeps the name that persons read on their phones', () => {
    expect(new OwnClient(keyOf(1), 'test').name).toBe('Countersign portal');
  });

  it('is refused to every change, which is told why', () => {
    const own = new OwnClient(keyOf(1), 'test');
    expect(() => own.assertIsNot(own.clientId)).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        reason: 'the own client of the service',
        detail: "This is the service's own client. The service keeps it; no request changes it.",
      }),
    );
    expect(() => own.assertIsNot('8f3a0000-0000-8000-8000-000000000002' as ClientId)).not.toThrow();
    expect(() => own.assertIsNot(undefined)).not.toThrow();
  });
});
