import { buildCmpRa } from './build.ts';

/** node testkit/programs/cmp-ra/fetch.ts: builds the registration authority by CMP, if it is missing. */
buildCmpRa();
