import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { usage } from './failures.js';

/** Asks for the secret at the terminal, and shows none of it. Throws a Failure without a terminal. */
export const askSecret = async (): Promise<string> => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw usage('the client secret is missing: set COUNTERSIGN_CLIENT_SECRET, or give --client-secret-file or --key-file');
  stderr.write('Client secret: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output: silent, terminal: true });
  const secret = await new Promise<string>((resolve) => {
    asking.once('line', resolve);
    asking.once('close', () => resolve(''));
  });
  asking.close();
  stderr.write('\n');
  if (secret === '') throw usage('no client secret was given');
  return secret;
};
