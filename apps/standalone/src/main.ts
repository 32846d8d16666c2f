import { readSettings, runProcess } from '#service/platform';

import { banner } from './banner.js';
import { firstPortalLink } from './first-portal-link.js';
import { assertMayHaveClient, developerClient } from './program/developer-client.js';
import { namingTheArgument } from './program/naming-the-argument.js';
import { readStartArguments } from './program/read-arguments.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const { client } = readStartArguments(process.argv.slice(2));
  const settings = readSettings();
  if (client.length > 0) assertMayHaveClient(settings);
  const standalone = await namingTheArgument(() => startStandalone(settings, client.length > 0 ? { sandboxRedirectUris: client } : {}));
  const own = client.length > 0 ? (standalone.sandbox ?? (await developerClient(standalone.platform, client))) : undefined;
  process.stdout.write(banner(standalone, { portalLink: await firstPortalLink(standalone.platform), own }));
  return standalone;
});
