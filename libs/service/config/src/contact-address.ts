import { isIP } from 'node:net';

import { ValidateBy } from 'class-validator';

import { isPublicName } from '#kernel';

/**
 * Whether strangers reach the operator at this address: `mailto:` with one mailbox, or `https:`, with a host that has a public name
 * (RFC 8292 §2.1). Push services refuse others: Apple answers 403 to `mailto:ops@localhost`.
 */
export const isContactAddress = (text: string): boolean => {
  const mailbox = /^mailto:[^\s@,?]+@([^\s@,?/:]+)$/.exec(text);
  const url = URL.parse(mailbox ? `https://${mailbox[1]}` : text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || /\s/.test(text)) return false;
  return isIP(url.hostname) === 0 && !url.hostname.startsWith('[') && isPublicName(url.hostname);
};

/** {@link isContactAddress} as a rule of a setting. */
export const IsContactAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isContactAddress',
    validator: {
      validate: (value: unknown) => isContactAddress(String(value)),
      defaultMessage: () =>
        '$property must be a mailto: or https: address with a public host, such as mailto:operator@example.com, since push services refuse others',
    },
  });
