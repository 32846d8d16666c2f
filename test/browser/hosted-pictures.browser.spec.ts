import { describe, expect, it } from '@jest/globals';

import { type HostedLogin, hostedLogin, hostedPictureFaults, useStage } from './support/index.js';

const stage = useStage();

const looksAsAccepted = async ({ page }: Pick<HostedLogin, 'page'>, screen: string): Promise<void> => {
  expect(await hostedPictureFaults(page, screen)).toEqual([]);
};

describe('the hosted page looks as accepted', () => {
  it('when it is opened without a request', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.login}/`);
    await page.locator('html[data-state="NOTHING_TO_DO"]').waitFor();
    await looksAsAccepted({ page }, 'hosted-nothing');
  });

  it('while a login waits, is scanned, and is declined', async () => {
    const login = await hostedLogin(stage, { name: 'Harbour Bank' });
    await looksAsAccepted(login, 'hosted-login');
    await login.scan();
    await login.state('SCANNED');
    await looksAsAccepted(login, 'hosted-scanned');
    await login.decline();
    await login.state('DECLINED');
    await looksAsAccepted(login, 'hosted-declined');
  });

  it('while a signature waits and is scanned', async () => {
    const login = await hostedLogin(stage, { signing: true, name: 'City Housing' });
    await looksAsAccepted(login, 'hosted-signature');
    await login.scan();
    await login.state('SCANNED');
    await looksAsAccepted(login, 'hosted-signature-scanned');
  });

  it('while a request is on the phone, and when another one superseded it', async () => {
    const visitor = await stage.visitor();
    const login = await hostedLogin(stage, { push: true, visitor, name: 'County Library' });
    await looksAsAccepted(login, 'hosted-pushed');
    await hostedLogin(stage, { visitor, name: 'Another Shop' });
    await login.state('CONTINUED_ELSEWHERE');
    await looksAsAccepted(login, 'hosted-superseded');
  });
});
