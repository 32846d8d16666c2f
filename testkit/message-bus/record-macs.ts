import { Secret } from '#kernel';
import { StaticKeyRing } from '../kernel/static-key-ring.js';

import { RecordMacs } from '#engines/message-bus';

/** Under a key of the tests, in the environment `test`. */
export const RECORD_MACS = new RecordMacs(new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]), 'test');
