import { describe, expect, it } from '@jest/globals';

import { UsageFailure } from '../src/failures.js';
import { requireSafeAddress } from '../src/require-safe-address.js';

describe('the address that the admin token goes to', () => {
  it.each(['https://sign.example', 'http://localhost:3000', 'http://127.0.0.1', 'http://127.9.9.9:80', 'http://[::1]:3000', 'http://2130706433'])(
    'may be %s',
    (address) => expect(() => requireSafeAddress(address)).not.toThrow(),
  );

  it.each([
    'http://sign.example',
    'http://192.168.1.5:3000',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://[::ffff:10.0.0.1]',
    'http://0.0.0.0:3000',
  ])('may not be %s', (address) => expect(() => requireSafeAddress(address)).toThrow(UsageFailure));
});
