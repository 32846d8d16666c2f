import { installSchemathesis } from './build.ts';

/** node testkit/programs/schemathesis/fetch.ts: installs Schemathesis into the user's cache folder, if it is missing. */
installSchemathesis();
