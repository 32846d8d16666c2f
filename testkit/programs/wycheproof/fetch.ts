import { installWycheproof } from './vectors.ts';

/** node testkit/programs/wycheproof/fetch.ts: copies the vectors of Wycheproof into the user's cache folder, if they are missing. */
installWycheproof();
