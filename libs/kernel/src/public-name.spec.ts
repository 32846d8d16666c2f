import { expect, it } from '@jest/globals';

import { isPublicName } from './public-name.js';

it.each(['example.com', 'push.example.com', 'push.example.com.', 'xn--bcher-kva.de', 'invalid.com', 'localhost.ee', 'push.example'])(
  '%s is a public name',
  (name) => {
    expect(isPublicName(name)).toBe(true);
  },
);

it.each(['', '.', 'localhost', 'push', 'push.', 'push.invalid', 'push.invalid.', 'a.test', 'a.local', 'a.internal', 'router.home.arpa', 'a.onion'])(
  '%j is none',
  (name) => {
    expect(isPublicName(name)).toBe(false);
  },
);
