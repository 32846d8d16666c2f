import { createECDH } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { InvalidSettings, isGuarded, isInMemory, type PlatformSettings, readOrCreateFile } from '#service/config';
import { fromBase64url, type Randomness } from '#kernel';
import type { VapidKeys } from '#domain/push';

/** The keys of the file that `VAPID_KEYS` names; a first start in `development` and `test` makes it. Undefined without the setting. Throws InvalidSettings. */
export const openVapidKeys = async (settings: PlatformSettings, randomness: Randomness): Promise<VapidKeys | undefined> => {
  const { vapidKeys: path, vapidSubject: subject, environment } = settings;
  if (path === '') return undefined;
  if (isInMemory(path)) return { ...newPair(), subject };
  const guarded = isGuarded(environment);
  const content = guarded
    ? await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new InvalidSettings([`VAPID_KEYS: ${path} cannot be read (${error.code ?? 'unknown error'}).`]);
      })
    : await readOrCreateFile(path, randomness, () => JSON.stringify({ ...newPair(), development: true }));
  const { publicKey, privateKey, development } = membersOf(content);
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string' || !isPair(publicKey, privateKey))
    throw new InvalidSettings([`VAPID_KEYS: ${path} must hold \`publicKey\` and \`privateKey\`, a pair of P-256 in base64url, as JSON.`]);
  if (guarded && development !== undefined)
    throw new InvalidSettings([`VAPID_KEYS: ${path} holds keys that were made for development; replace them by keys of your own.`]);
  return { publicKey, privateKey, subject };
};

const newPair = () => {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys('base64url');
  // Leading zero bytes are part of the key.
  return {
    publicKey,
    privateKey: ecdh
      .getPrivateKey('hex')
      .padStart(64, '0')
      .replace(/^.*$/, (hex) => Buffer.from(hex, 'hex').toString('base64url')),
  };
};

const membersOf = (content: string): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(content)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

const isPair = (publicKey: string, privateKey: string): boolean => {
  const secret = fromBase64url(privateKey);
  if (secret?.length !== 32) return false;
  try {
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(secret);
    return ecdh.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
};
