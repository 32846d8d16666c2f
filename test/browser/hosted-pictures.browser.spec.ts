import { describe, expect, it } from '@jest/globals';

import { pictureFaults, SAME_LETTERS, useStage } from './support/index.js';

const stage = useStage('hosted-pictures', ...SAME_LETTERS);

describe('the hosted page looks as accepted', () => {
  it('when it is opened without a request', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.login}/`);
    await page.locator('html[data-state="NOTHING_TO_DO"]').waitFor();
    expect(await pictureFaults(page, 'hosted-nothing')).toEqual([]);
  });
});
