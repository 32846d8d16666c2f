import { readSettings, runProcess } from '#service/platform';

import { banner } from './banner.js';
import { firstPortalLink } from './first-portal-link.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const standalone = await startStandalone(readSettings());
  process.stdout.write(banner(standalone, await firstPortalLink(standalone.platform)));
  return standalone;
});
