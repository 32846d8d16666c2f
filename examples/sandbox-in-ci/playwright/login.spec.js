import { countersign } from '@countersign/sandbox/playwright';
import { expect, test as base } from '@playwright/test';

const test = base.extend(countersign);

test('a person logs in', async ({ page, phone }) => {
  await page.goto('/login');
  await phone.scan();
  await expect(page).toHaveURL('/');
  await expect(page.locator('body')).toHaveText(/^[\da-f-]{36}$/); // the subjectId
});

test('a person declines', async ({ page, phone }) => {
  await page.goto('/login');
  await phone.scan('decline');
  await expect(page.getByTestId('status')).toContainText('declined');
});

test('a webhook tells of the login', async ({ page, phone, sandbox }) => {
  await page.goto('/login');
  await phone.scan();
  await expect(page).toHaveURL('/');
  const { event } = await sandbox.waitForWebhook({ client: sandbox.client, type: 'session.completed' });
  expect(event.data.status).toBe('COMPLETED');
});
