import { authenticated } from '../testing/authenticated.js';
import { STORE_ENGINES } from '../testing/store-engines.js';
import { unitOfWorkContract } from './unit-of-work.contract.js';

describe.each(STORE_ENGINES)('works over $engine', (engine) => unitOfWorkContract(engine, (store) => authenticated(store)));
