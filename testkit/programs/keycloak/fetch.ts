import { buildKeycloak } from './build.ts';

/** node testkit/programs/keycloak/fetch.ts: brings Keycloak to the user's cache folder, if it is missing. */
buildKeycloak();
