import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Secret } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

/** The keys of a service's directory: `data`, `event`, … */
export const keyRingOf = (keyDirectory: string, name: string): StaticKeyRing => {
  const keys = JSON.parse(readFileSync(join(keyDirectory, `${name}.json`), 'utf8')) as { id: string; key: string }[];
  const [first, ...others] = keys.map(({ id, key }) => ({ id, key: new Secret(Buffer.from(key, 'base64')) }));
  return new StaticKeyRing([first!, ...others]);
};
