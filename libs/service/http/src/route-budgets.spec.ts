import { Controller, Get, Module, Post } from '@nestjs/common';

import { MemoryRateLimits } from '#engines/rate-limit';
import { Metrics, SilentLog } from '#telemetry';

import { createHttpApp, type HttpApp } from './create-http-app.js';
import { limitRoutes, type RouteBudgets } from './route-budgets.js';

@Controller()
class PageController {
  @Get('shop/:file')
  file(): object {
    return {};
  }
}

@Controller('shop/v1')
class ShopController {
  @Get('things/:id')
  get(): object {
    return {};
  }

  @Post('things')
  add(): object {
    return {};
  }
}

@Module({ controllers: [PageController, ShopController] })
class ShopModule {}

const PAGES: RouteBudgets = { 'GET /shop/:file': { because: 'a file' } };
const ALL: RouteBudgets = { 'GET /shop/v1/things/:id': { principal: 3, tenant: 5 }, 'POST /shop/v1/things': { because: 'a test' } };

let app: HttpApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const start = async (budgets: RouteBudgets, pages = PAGES): Promise<HttpApp> =>
  (app = await createHttpApp(ShopModule, {
    log: new SilentLog(),
    metrics: new Metrics(),
    budgets,
    pages,
    onRequest: [
      limitRoutes(new MemoryRateLimits(), budgets, ({ headers }) => {
        const { 'x-caller': principal, 'x-tenant': tenant } = headers as Record<string, string | undefined>;
        return principal === undefined ? undefined : { principal, tenant };
      }),
    ],
  }));

const statuses = async (count: number, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET', path = '/shop/v1/things/1') => {
  const answers: number[] = [];
  for (let time = 0; time < count; time += 1) answers.push((await app!.inject({ method, url: path, headers })).statusCode);
  return answers;
};

describe('the budgets of routes', () => {
  it('are declared for every route, or the app does not start', async () => {
    const { 'POST /shop/v1/things': _, ...without } = ALL;
    await expect(start(without)).rejects.toThrow('no budget is declared for POST /shop/v1/things');
    await expect(start({ ...ALL, 'GET /shop/v1/gone': { because: 'it was removed' } })).rejects.toThrow('for no route: GET /shop/v1/gone');
    await expect(start(ALL, {})).rejects.toThrow('no budget is declared for GET /shop/:file');
  });

  it('hold for each caller, by any spelling of the path and by HEAD', async () => {
    await start(ALL);
    expect(await statuses(4, { 'x-caller': 'a' })).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, { 'x-caller': 'a' }, 'HEAD')).toEqual([429]);
    expect(await statuses(1, { 'x-caller': 'a' }, 'GET', '/shop/v1/%74hings/2')).toEqual([429]);
    expect(await statuses(1, { 'x-caller': 'b' })).toEqual([200]);
    const { headers } = await app!.inject({ method: 'GET', url: '/shop/v1/things/1', headers: { 'x-caller': 'a' } });
    expect([headers['ratelimit-limit'], Number(headers['retry-after']) > 0]).toEqual(['3', true]);
  });

  it('hold for all callers of one relying party together', async () => {
    await start(ALL);
    const answers = [];
    for (const caller of ['a', 'b', 'c']) answers.push(...(await statuses(2, { 'x-caller': caller, 'x-tenant': 'one' })));
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statuses(1, { 'x-caller': 'd', 'x-tenant': 'two' })).toEqual([200]);
  });

  it('hold for no call that counts for no one, and for no route that is limited otherwise', async () => {
    await start(ALL);
    expect(new Set(await statuses(10, {}))).toEqual(new Set([200]));
    for (let time = 0; time < 10; time += 1)
      expect((await app!.inject({ method: 'POST', url: '/shop/v1/things', headers: { 'x-caller': 'a' } })).statusCode).toBe(201);
  });

  it('leave an unknown path to its 404', async () => {
    await start(ALL);
    expect(await statuses(5, { 'x-caller': 'a' }, 'GET', '/shop/v1/unknown')).toEqual([404, 404, 404, 404, 404]);
  });
});
