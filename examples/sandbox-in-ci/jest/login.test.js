import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runningSandbox } from '@countersign/sandbox/jest';

import { newBrowser, openShop } from './visit.js';

const sandbox = runningSandbox();
let shop;
beforeEach(async () => {
  shop = await openShop(sandbox);
});
afterEach(() => shop.close());

test('a person logs in', async () => {
  const browse = newBrowser();
  const { location } = await browse(`${shop.origin}/login`);
  const { redirect } = await sandbox.logIn(location);
  await browse(redirect);
  expect((await browse(shop.origin)).text).toMatch(/^[\da-f-]{36}$/); // the subjectId
});

test('a person declines', async () => {
  const browse = newBrowser();
  const { location } = await browse(`${shop.origin}/login`);
  const { status, redirect } = await sandbox.logIn(location, 'decline');
  expect([status, redirect]).toEqual(['CANCELLED', undefined]);
  expect((await browse(shop.origin)).text).toBe('not logged in');
});

test('a webhook tells of the login', async () => {
  const browse = newBrowser();
  const { location } = await browse(`${shop.origin}/login`);
  await browse((await sandbox.logIn(location)).redirect);
  const { event } = await sandbox.waitForWebhook({ client: shop.client, type: 'session.completed' });
  expect(event.data.status).toBe('COMPLETED');
});
