import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { Redis } from 'ioredis';

const RIGHTS = resolve(import.meta.dirname, '../../../deploy/rights/redis.acl');

/** Gives the services their rights by `deploy/rights/redis.acl`, and a password. With `save` they survive a restart; the server then needs an `aclfile`. */
export const grantRights = async (url: string, password: string, { save = false } = {}): Promise<void> => {
  const admin = new Redis(url);
  for (const line of (await readFile(RIGHTS, 'utf8')).split('\n').filter((one) => one.startsWith('ACL '))) {
    const [, , user = '', ...rules] = line.split(' ');
    await admin.call('ACL', 'SETUSER', user, ...rules, `>${password}`);
  }
  if (save) await admin.call('ACL', 'SAVE');
  admin.disconnect();
};
