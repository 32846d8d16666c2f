import { isIPv6 } from 'node:net';

import type { Limit, RateLimits } from './rate-limits/rate-limits.js';

/** Counts what went wrong by address. Whoever does it right is never asked. */
export class FailureThrottle {
  readonly #limit: Limit;

  /** `name`: of what goes wrong. */
  constructor(
    private readonly limits: RateLimits,
    name: string,
    perMinute: number,
  ) {
    this.#limit = { name, times: perMinute, seconds: 60 };
  }

  /** Throws RateLimited for each failure beyond what a minute allows. */
  failed(address: string): Promise<void> {
    return this.limits.take(this.#limit, network(address), 'too many failures from this address');
  }
}

/** Who has one IPv6 address has the whole /64: one of them counts for all. */
const network = (address: string): string => {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const groups = tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return groups.slice(0, 4).join(':');
};
