import { installPyHanko } from './build.ts';

/** node testkit/programs/pyhanko/fetch.ts: installs pyHanko into the user's cache folder, if it is missing. */
installPyHanko();
