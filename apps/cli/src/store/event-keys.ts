import { KeyChangeRefused, type KeySeal, readKeyRing } from '#service/config';
import { type KeyRing, SystemClock } from '#kernel';

import { Refusal } from '../failures.js';

/** Where the keys of the events lie, which authenticate what the service keeps outside of its store too. */
export interface EventKeyOptions {
  readonly keyDirectory: string;
  /** `ENVIRONMENT` of the service: what another one has made is refused. */
  readonly environment: string;
  /** Default: in clear. */
  readonly seal?: KeySeal | undefined;
}

/** The keys of `event.json`. Makes none. Throws a Failure. */
export const eventKeys = ({ keyDirectory, seal }: EventKeyOptions): Promise<KeyRing> =>
  readKeyRing(keyDirectory, 'event', { clock: new SystemClock(), seal }).catch((error: unknown) => {
    throw error instanceof KeyChangeRefused ? new Refusal(error.message, { cause: error }) : error;
  });
