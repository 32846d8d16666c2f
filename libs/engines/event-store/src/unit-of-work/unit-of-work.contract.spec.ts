import { authenticated } from '#testkit/event-store/authenticated';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { unitOfWorkContract } from '#testkit/event-store/unit-of-work/unit-of-work.contract';

describe.each(STORE_ENGINES)('works over $engine', (engine) => unitOfWorkContract(engine, (store) => authenticated(store)));
