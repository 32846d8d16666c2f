import { generateKeyPairSync } from 'node:crypto';

import type { SigningRing } from '#domain/openid';
import { type Clock, Secret } from '#kernel';

type SigningPair = ReturnType<SigningRing['all']>[number];

/** A ring of key pairs as `openid.json` holds them, which can be rotated. The first pair of a process is made when it is asked for, since that takes a while. */
export class SigningPairs implements SigningRing {
  #pairs: readonly SigningPair[] | undefined;

  constructor(private readonly clock: Clock) {}

  all(): readonly SigningPair[] {
    return (this.#pairs ??= [{ id: 'first', key: firstPair(), notBefore: this.clock.now() }]);
  }

  /** Adds a pair that signs from that time on, in epoch milliseconds. */
  rotate(notBefore: number): void {
    this.#pairs = [...this.all(), { id: `pair-${this.all().length}`, key: new Secret(newPair()), notBefore }];
  }

  /** Removes a pair, as an operator does who no longer trusts it. */
  remove(id: string): void {
    this.#pairs = this.all().filter((pair) => pair.id !== id);
  }
}

let first: Secret<Buffer> | undefined;

const firstPair = (): Secret<Buffer> => (first ??= new Secret(newPair()));

const newPair = (): Buffer => {
  const keys = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('ec', { namedCurve: 'P-256' })];
  return Buffer.from(JSON.stringify({ keys: keys.map(({ privateKey }) => privateKey.export({ format: 'jwk' })) }));
};
