import { isIPv6 } from 'node:net';

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { RateLimited } from './rate-limited.js';

/** Counts what went wrong by address. Whoever does it right is never asked. */
export class FailureThrottle {
  readonly #limiter: RateLimiterMemory;

  constructor(
    private readonly perMinute: number,
  ) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** Throws {@link RateLimited} for each failure beyond what a minute allows. */
  async failed(address: string): Promise<void> {
    try {
      await this.#limiter.consume(network(address));
    } catch (exceeded) {
      if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
      throw new RateLimited('too many failures from this address', this.perMinute, exceeded.msBeforeNext / 1000);
    }
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
