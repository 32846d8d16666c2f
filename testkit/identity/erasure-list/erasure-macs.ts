import { Secret } from '#kernel';
import { StaticKeyRing } from '../../kernel/static-key-ring.js';

import { ErasureMacs } from '#domain/identity';

/** Under a key of the tests, in the environment `test`. */
export const ERASURE_MACS = new ErasureMacs(new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]), 'test');
