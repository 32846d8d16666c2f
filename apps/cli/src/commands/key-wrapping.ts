import { exportClearKeys, KeyChangeRefused, keySealOf, KeySealProblem, tokenOf, wrapKeyFiles } from '#service/config';
import { SystemRandomness } from '#kernel';
import type { Command } from 'commander';

import { Refusal, UsageFailure } from '../failures.js';
import { readSettings } from '../settings.js';
import { terminalOf } from '../terminal.js';

const HELP = `
The token is that of PKCS11_MODULE, PKCS11_TOKEN, PKCS11_KEY and PKCS11_PIN_FILE, which the services and all commands of keys need too.`;

export const wrappingCommands = (keys: Command): void => {
  keys
    .command('make-wrapping-key')
    .description('make the AES key of PKCS11_KEY in the token, which it never leaves')
    .addHelpText('after', HELP)
    .action((_: unknown, command: Command) =>
      refusing(async () => {
        const settings = settingsWithToken();
        await tokenOf(settings)?.makeKey();
        const { pkcs11Token: token, pkcs11Key: key } = settings;
        terminalOf(command).show({ token, key }, `The token "${token}" has the key "${key}".`);
      }),
    );
  keys
    .command('wrap')
    .description('wrap the key files in KEY_DIR by the key in the token')
    .addHelpText('after', HELP)
    .action((_: unknown, command: Command) =>
      refusing(async () => {
        const { keyDirectory, ...settings } = settingsWithToken();
        const wrapped = await wrapKeyFiles(keyDirectory, keySealOf(settings, new SystemRandomness()));
        const text = wrapped.length === 0 ? `Every key file in ${keyDirectory} is wrapped.` : `Wrapped in ${keyDirectory}: ${wrapped.join(', ')}.`;
        terminalOf(command).show({ directory: keyDirectory, wrapped }, text);
      }),
    );
  keys
    .command('unwrap')
    .description('write the key files in clear into another folder, for the copies that are kept apart')
    .requiredOption('--to <folder>', 'a folder without key files, such as a storage medium')
    .addHelpText('after', HELP)
    .action(({ to }: { readonly to: string }, command: Command) =>
      refusing(async () => {
        const { keyDirectory, ...settings } = settingsWithToken();
        const written = await exportClearKeys(keyDirectory, to, keySealOf(settings, new SystemRandomness()));
        terminalOf(command).show({ directory: to, written }, `In clear in ${to}: ${written.join(', ')}. The files in ${keyDirectory} stay wrapped.`);
      }),
    );
};

/** Runs work on key files. A refusal of that work is a refusal of the command. */
export const refusing = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof KeyChangeRefused || error instanceof KeySealProblem) throw new Refusal(error.message, { cause: error });
    throw error;
  }
};

const settingsWithToken = () => {
  const settings = readSettings();
  if (!tokenOf(settings)) throw new UsageFailure('set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE to the token');
  return settings;
};
