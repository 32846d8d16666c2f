/**
 * The program of the package `@countersign/sandbox`: all applications in one process, for the tests of a relying party. Everything is in memory, so nothing remains of a process that
 * ends, however it ends. The package starts it on a Node that is new enough.
 */
import './program/older-sqlite.js';

import { runProcess } from '#service/platform';
import { StandardOutput } from '#telemetry';

import { freePort } from './program/free-port.js';
import { namingTheArgument } from './program/own-client.js';
import { readSandboxArguments } from './program/read-arguments.js';
import { sandboxJson, sandboxLines } from './program/sandbox-lines.js';
import { sandboxSettings } from './program/sandbox-settings.js';
import { startStandalone } from './start.js';

await runProcess(async () => {
  const { port, client, json, untilStdinEnds } = readSandboxArguments(process.argv.slice(2));
  // A runner that is killed closes the pipe. Nothing is on disk, so there is nothing to close.
  if (untilStdinEnds) for (const end of ['end', 'close', 'error']) process.stdin.on(end, () => process.exit(0)).resume();
  const settings = sandboxSettings(port === 0 ? await freePort() : port, process.env);
  const options = { logOutput: new StandardOutput(2), sandboxRedirectUris: [...new Set(client)] };
  const standalone = await namingTheArgument(() => startStandalone(settings, options));
  const clients = standalone.sandbox && client.length > 0 ? [standalone.sandbox] : [];
  const running = { url: settings.baseUrl, clients };
  process.stdout.write(json ? sandboxJson(running) : sandboxLines(running));
  return standalone;
});
