import { Secret } from '#kernel';

import { portalClientId } from './portal-client.js';

const keyOf = (fill: number) => ({ id: 'index', key: new Secret(Buffer.alloc(32, fill)) });

describe("the portal's own client", () => {
  it('has one id in all processes of an installation, and another one elsewhere', () => {
    expect(portalClientId(keyOf(1), 'prod')).toBe(portalClientId(keyOf(1), 'prod'));
    expect(new Set([portalClientId(keyOf(1), 'prod'), portalClientId(keyOf(1), 'test'), portalClientId(keyOf(2), 'prod')]).size).toBe(3);
  });

  it('keeps the id under which earlier releases have registered it', () => {
    expect(portalClientId(keyOf(1), 'test')).toBe('3e790d34-d7fe-8bfa-8e8a-1fb370d031cd');
  });
});
