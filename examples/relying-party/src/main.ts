import { InvalidSettings, readSettings } from './settings.js';
import { startDemo } from './start-demo.js';

try {
  const settings = readSettings();
  const app = await startDemo({
    ...settings,
    log: {
      info: (message) => process.stdout.write(`${message}\n`),
      warn: (message, fields) => process.stderr.write(`${JSON.stringify({ message, ...fields })}\n`),
      error: (message, { error }) => process.stderr.write(`${message}: ${error instanceof Error ? error.stack : String(error)}\n`),
    },
  });
  process.stdout.write(`The demo is up: ${settings.origin}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void app.close());
} catch (error) {
  process.stderr.write(`${error instanceof InvalidSettings || error instanceof TypeError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
