import { readSettings, runProcess } from '#platform';

import { banner } from './banner.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const standalone = await startStandalone(readSettings());
  process.stdout.write(banner(standalone));
  return standalone;
});
