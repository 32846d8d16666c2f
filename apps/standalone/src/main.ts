import { readSettings, runProcess } from '#service/platform';

import { banner } from './banner.js';
import { firstPortalLink } from './first-portal-link.js';
import { ownClient } from './program/own-client.js';
import { readStartArguments } from './program/read-arguments.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const { client } = readStartArguments(process.argv.slice(2));
  const standalone = await startStandalone(readSettings());
  const own = client.length > 0 ? await ownClient(standalone.platform, client) : undefined;
  process.stdout.write(banner(standalone, { portalLink: await firstPortalLink(standalone.platform), own }));
  return standalone;
});
