import { isIP } from 'node:net';

import { ValidateBy, ValidateIf } from 'class-validator';

/** Not every process has it. */
export const Absent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Addresses and networks: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export const IsNetworks = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNetworks',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isNetwork),
      defaultMessage: () => '$property must list IP addresses or networks such as 10.0.0.0/8',
    },
  });

const isNetwork = (text: unknown): boolean => {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(text)) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(length ?? 0) <= (version === 4 ? 32 : 128);
};
