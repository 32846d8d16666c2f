import { type BrowserServer, chromium } from 'playwright-core';

import { CHROMIUM, FLAGS, SAME_FONTS, SAME_LETTERS } from '../../../testkit/programs/browsers/chromium.ts';
import buildAuthorities from './build-authorities.ts';
import makeRunDirectory from './make-run-directory.ts';

/** Builds certificate authorities as the suite of containers does. Starts one browser for all files of the run: they find it by `BROWSER_ENDPOINT`, and each test has profiles of its own in it. */
export default async (): Promise<void> => {
  buildAuthorities();
  makeRunDirectory();
  const browserServer: BrowserServer = await chromium.launchServer({ executablePath: CHROMIUM, args: [...FLAGS, ...SAME_LETTERS], env: SAME_FONTS });
  process.env['BROWSER_ENDPOINT'] = browserServer.wsEndpoint();
  Object.assign(globalThis, { browserServer });
};
