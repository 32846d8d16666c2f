#!/usr/bin/env node
import { askSecret } from './ask-secret.js';
import { Failure } from './failures.js';
import { run } from './run.js';
import { environment, readSettings } from './settings.js';

const HELP = `countersign listen --forward-to http://localhost:4242/webhooks
  Posts the webhooks of your client to your own machine, over a connection that this program opens.
countersign sessions tail
  Shows the sessions of your client as they change, one line each.

  --url <address>               the service's address, or COUNTERSIGN_URL
  --client-id <uuid>            your client, or COUNTERSIGN_CLIENT_ID
  --client-secret-file <file>   its secret, or COUNTERSIGN_CLIENT_SECRET; without either it is asked for
  --key-file <file>             a private key (PEM or JWK) in place of the secret; --key-id <kid> names it
  --events <type,type>          listen: which events; without it all that webhooks announce
  --allow-remote                listen: --forward-to may be another machine
  --allow-plain-http            --url may be http beyond this machine

The secret that signs the webhooks is made at each start and printed once. COUNTERSIGN_WEBHOOK_SECRET keeps one.
`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
// The reader of the output has gone.
process.stdout.on('error', () => stopping.abort());

const main = async (): Promise<void> => {
  const settings = readSettings(process.argv.slice(2), environment());
  if (!settings) {
    process.stdout.write(HELP);
    return;
  }
  await run(settings, {
    say: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    askSecret,
    signal: stopping.signal,
  });
};

try {
  await main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`countersign: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
