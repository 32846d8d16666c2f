import { MemoryRateLimits } from '#engines/rate-limit';

import { FailureThrottle } from './failure-throttle.js';
import { portalAuthentication, portalCookieName, requirePortalHeader } from './portal-authentication.js';

const PERSON = { name: 'Mari' };
const HEADER = { 'x-service-portal': '1' };

describe('the name of the cookie', () => {
  it('binds it to the host where the browser comes by https', () => {
    expect(portalCookieName('https://portal.example/portal')).toBe('__Host-svc_portal');
    expect(portalCookieName('http://localhost:3000/portal')).toBe('svc_portal');
    expect(portalCookieName('http://localhost:3000/portal?https:')).toBe('svc_portal');
  });
});

describe('the header of the portal', () => {
  it('is required with its value', () => {
    expect(() => requirePortalHeader(HEADER)).not.toThrow();
    for (const headers of [{}, { 'x-service-portal': '' }, { 'x-service-portal': 'true' }, { 'x-service-portal': 1 }, { 'x-service-portal': ['1'] }])
      expect(() => requirePortalHeader(headers)).toThrow(
        expect.objectContaining({ code: 'portal_header_required', reason: 'header X-Service-Portal missing or wrong' }),
      );
  });
});

describe('a session of the portal', () => {
  const asked: string[] = [];
  const authenticate = async (headers: Record<string, string>, limit = 2): Promise<object | undefined> => {
    const find = async (cookie: string) => (asked.push(cookie), cookie.startsWith('live') ? PERSON : undefined);
    const hook = portalAuthentication(find, new FailureThrottle(new MemoryRateLimits(), 'portal', limit), 'svc');
    const request: { headers: typeof headers; ip: string; principal?: object } = { headers, ip: '192.0.2.1' };
    await (hook as unknown as (request: object) => Promise<void>)(request);
    return request.principal;
  };
  beforeEach(() => asked.splice(0));

  it('is the person of a live cookie', async () => {
    expect(await authenticate({ cookie: 'svc=live', ...HEADER })).toBe(PERSON);
  });

  it.each(['svc=over; svc=live', 'svc=live; svc=over', 'svc=live; other=1; svc=live'])(
    'is the person of the live one of several: %s',
    async (cookie) => {
      expect(await authenticate({ cookie, ...HEADER }, 1)).toBe(PERSON);
    },
  );

  it('is refused where two are live, since one of them is planted', async () => {
    await expect(authenticate({ cookie: 'svc=live; svc=live2', ...HEADER })).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is left to the next hook where a token is given, or no cookie', async () => {
    expect(await authenticate({ cookie: 'svc=live', authorization: 'Bearer x', ...HEADER })).toBeUndefined();
    expect(await authenticate({ ...HEADER })).toBeUndefined();
    expect(await authenticate({ cookie: 'other=live', ...HEADER })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is not looked for without the header', async () => {
    await expect(authenticate({ cookie: 'svc=live' })).rejects.toMatchObject({ code: 'portal_header_required' });
    expect(asked).toEqual([]);
  });

  it('is refused when it is over', async () => {
    await expect(authenticate({ cookie: 'svc=over', ...HEADER })).rejects.toMatchObject({
      code: 'unauthorized',
      reason: 'no live session of the portal',
    });
  });
});
