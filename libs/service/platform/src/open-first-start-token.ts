import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { InvalidSettings, isGuarded, isInMemory, type PlatformSettings, readOrCreateFile, tokenFault } from '#service/config';
import { type Randomness, Secret } from '#kernel';

const FILE = 'admin-token';
const BYTES = 32;

/** The token of ADMIN_TOKEN, or that of the file in DATA_DIR, which the first start makes. Throws InvalidSettings where a guarded environment refuses that of the file. */
export const openFirstStartToken = async (settings: PlatformSettings, randomness: Randomness): Promise<Secret<string>> => {
  const { adminToken, dataDirectory } = settings;
  if (adminToken !== undefined) return new Secret(adminToken);
  const make = (): string => randomness.bytes(BYTES).toString('base64url');
  if (isInMemory(dataDirectory)) return new Secret(make());
  const token = await readOrCreateFile(join(dataDirectory, FILE), randomness, make);
  const problems = problemsOf(token, settings);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return new Secret(token.trim());
};

/** Why a start would refuse the file of the admin token. None if there is no file yet, or if the settings name a token. */
export const firstStartTokenProblems = async (settings: PlatformSettings): Promise<readonly string[]> => {
  if (settings.adminToken !== undefined) return [];
  const token = await readFile(join(settings.dataDirectory, FILE), 'utf8').catch(() => undefined);
  return token === undefined ? [] : problemsOf(token, settings);
};

const problemsOf = (token: string, { environment, dataDirectory }: PlatformSettings): readonly string[] => {
  const fault = isGuarded(environment) ? tokenFault(token.trim()) : undefined;
  return fault === undefined
    ? []
    : [
        `ADMIN_TOKEN: the token in ${join(dataDirectory, FILE)} ${fault}, since ENVIRONMENT is neither development nor test. Remove the file, and the next start makes one.`,
      ];
};
