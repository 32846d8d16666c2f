import { InvalidSettings } from '#config';
import { ServiceUnavailable } from '#kernel';

import { banner } from './banner.js';
import { readSettings } from './settings.js';
import { startStandalone } from './start.js';

const explain = (error: unknown): string => {
  if (error instanceof InvalidSettings) return error.message;
  if (error instanceof ServiceUnavailable) return error.reason;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return `Another process listens on port ${(error as { port?: number }).port}. Set PORT, or DEMO_PORT, to a free one.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

try {
  const standalone = await startStandalone(readSettings());
  process.stdout.write(banner(standalone));
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Who asks twice does not want to wait.
      if (stopping) process.exit(1);
      stopping = true;
      void standalone.close().then(() => process.exit(0));
    });
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
