import { open } from 'node:fs/promises';

import { generateX25519Identity, identityToRecipient } from 'age-encryption';

import { UsageFailure } from '../failures.js';

/** Writes a new private key for backups into a new file that its owner alone can read, as `age-keygen` does. Answers the public key. */
export const makeBackupKey = async (path: string): Promise<string> => {
  await using file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new UsageFailure(`${path} cannot be made, or is there already`, { cause });
  });
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  await file.writeFile(`# public key: ${recipient}\n${identity}\n`);
  await file.sync();
  return recipient;
};
