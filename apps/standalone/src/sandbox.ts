/**
 * The program of the package `@countersign/sandbox`: all applications in one process, for the tests of a relying party. Everything is in memory, so nothing remains of a process that
 * ends, however it ends. The package starts it on a Node that is new enough.
 */
import { setFlagsFromString } from 'node:v8';

import { runProcess } from '#service/platform';
import { StandardOutput } from '#telemetry';

import { freePort } from './program/free-port.js';
import { namingTheArgument, namingThePort } from './program/naming-the-argument.js';
import { readSandboxArguments } from './program/read-arguments.js';
import { sandboxJson, sandboxLines } from './program/sandbox-lines.js';
import { sandboxSettings } from './program/settings.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const { port, client, json, untilStdinEnds } = readSandboxArguments(process.argv.slice(2));
  // A runner that is killed closes the pipe. Nothing is on disk, so there is nothing to close.
  if (untilStdinEnds) for (const end of ['end', 'close', 'error']) process.stdin.on(end, () => process.exit(0)).resume();
  const settings = sandboxSettings(port === 0 ? await freePort() : port);
  const options = { logOutput: new StandardOutput(2), sandboxRedirectUris: [...new Set(client)] };
  const standalone = await namingThePort(() => namingTheArgument(() => startStandalone(settings, options)));
  const clients = standalone.sandbox && client.length > 0 ? [standalone.sandbox] : [];
  const running = { url: settings.baseUrl, clients };
  process.stdout.write(json ? sandboxJson(running) : sandboxLines(running));
  return standalone;
});
// Each reset makes the applications anew and leaves the former ones to V8, which would let the heap double before it looks for them. Set after the start, which needs the time; and after
// the compiled code was kept, since V8 takes none that was made with other flags.
setFlagsFromString('--heap-growing-percent=20');
