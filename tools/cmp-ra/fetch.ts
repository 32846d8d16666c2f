import { buildCmpRa } from './build.ts';

/** node tools/cmp-ra/fetch.ts: builds the registration authority by CMP, if it is missing. */
buildCmpRa();
