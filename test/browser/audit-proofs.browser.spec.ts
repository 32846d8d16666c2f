import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { buildCommands, runCli } from '../../testkit/processes/run-cli.ts';
import { runDirectory, type StandaloneService } from '../support/index.js';
import { portalVisit, useStage } from './support/index.js';

const folder = join(runDirectory(), 'proofs-anchor');
const stage = useStage({
  ownService: 'audit-proofs',
  settings: async () => {
    mkdirSync(folder, { recursive: true });
    return { ANCHOR_DIR: folder };
  },
});
const { at, look, logIn, openLink, faults } = portalVisit(stage);

/** What `history verify` says of the file, with the public key alone. */
const verified = async (file: string): Promise<string> => {
  await buildCommands('history', 'published-history');
  const { dataDirectory } = stage.service as StandaloneService;
  const key = (await runCli(['history', 'key'], { KEY_DIR: join(dataDirectory, 'keys') })).trim();
  return runCli(['history', 'verify', folder, '--key', key, '--entry', file]);
};

describe('the audit trail of the portal', () => {
  it('says of each change whether the signed history has it, and saves a proof that others verify', async () => {
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'auditor', roles: ['security'] });
    const page = await openLink(link);
    await logIn(page, await stage.anyPhone());
    await stage.staff.ask('POST', '/clients', { name: 'Proved shop', redirect_uris: ['https://shop.example/back'] });
    const newest = at(page, 'audit-entry').first();
    const show = async (): Promise<string | null> => {
      await at(page, 'audit').click();
      await newest.waitFor();
      return newest.getByTestId('audit-proof').textContent();
    };
    expect(await show()).toContain('Not in the signed history yet');
    expect(await newest.getByTestId('save-proof').count()).toBe(0);
    // The next comparison has the checkpoint.
    await eventually(
      async () => {
        await stage.pass(61);
        return (await show()) === 'In the signed history';
      },
      { what: 'a proved entry', within: 60_000 },
    );
    const saving = page.waitForEvent('download');
    await newest.getByTestId('save-proof').click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/^audit-entry-\d+\.json$/);
    const path = join(runDirectory(), download.suggestedFilename());
    await download.saveAs(path);
    const { entry } = JSON.parse(await readFile(path, 'utf8')) as { readonly entry: { readonly action: string } };
    expect(await newest.textContent()).toContain(entry.action);
    expect(await verified(path)).toMatch(/^Entry \d+ of the audit trail was published, word for word\.$/m);
    await look(page, 'portal: audit trail with proofs');
    expect(faults()).toEqual([]);
  }, 240_000);
});
