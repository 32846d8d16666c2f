import { buildStepCa } from './build.ts';

/** node testkit/programs/step-ca/fetch.ts: builds step-ca into the user's cache folder, if it is missing. */
buildStepCa();
