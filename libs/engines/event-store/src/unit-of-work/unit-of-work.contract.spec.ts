import { GuardedEventStore } from '#engines/event-store';
import { authenticated } from '#testkit/event-store/authenticated';
import { STORE_DIALECTS } from '#testkit/event-store/store-engines';
import { unitOfWorkContract } from '#testkit/event-store/unit-of-work/unit-of-work.contract';

describe.each(STORE_DIALECTS)('works over $engine', (engine) =>
  // All coats of the event-store library, in the order of a process.
  unitOfWorkContract(engine, (store) => new GuardedEventStore(authenticated(store), { guarded: new Set(), refused: () => undefined })),
);
