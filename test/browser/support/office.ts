import type { Page } from 'playwright-core';

import { portalVisit } from './portal-visit.js';
import { useStage } from './stage.js';
import type { WebPhone } from './web-phone.js';

/** The one of each relying party here. */
export const REDIRECT_URI = 'https://harbour.example/back';

/** A member of the staff at the page of a relying party, and the phone of the joining. */
interface Colleague {
  readonly page: Page;
  readonly phone: WebPhone;
}

/** What the tests of approvals do at the portal and on the phones of its staff. */
export const useOffice = (...options: Parameters<typeof useStage>) => {
  const stage = useStage(...options);
  const visit = portalVisit(stage);
  const { at } = visit;
  return {
    ...visit,
    register: async (name: string): Promise<string> => {
      const terms = { name, redirect_uris: [REDIRECT_URI], allowed_attributes: [], allowed_predicates: [] };
      return String((await stage.staff.ask('POST', '/clients', terms))['clientId']);
    },
    redirectUris: async (clientId: string): Promise<unknown> => (await stage.staff.ask('GET', `/clients/${clientId}`))['redirectUris'],
    invite: async (label: string): Promise<unknown> =>
      (await stage.staff.ask('POST', '/invitations', { label, roles: ['operator', 'security'] }))['link'],
    arrive: async (link: unknown, name: string): Promise<Colleague> => {
      const page = await visit.openLink(link);
      const phone = await stage.phone();
      await visit.logIn(page, phone);
      await page.getByRole('button', { name }).press('Enter');
      await at(page, 'client-id').waitFor();
      return { page, phone };
    },
    askForSecret: async (page: Page): Promise<void> => {
      await at(page, 'new-secret').press('Enter');
      await at(page, 'new-secret-yes').press('Enter');
      await at(page, 'approval').waitFor();
    },
    changeRedirects: async (page: Page, uri: string): Promise<void> => {
      await at(page, 'redirect-uris').fill(`${REDIRECT_URI}\n${uri}`);
      await at(page, 'save').press('Enter');
      await at(page, 'approval').waitFor();
    },
    confirm: async ({ page, phone }: Colleague): Promise<void> => phone.confirm(await at(page, 'approval-code').textContent()),
  };
};
