import { installAuthlib } from '../../../testkit/programs/authlib/build.ts';
import { buildKeycloak } from '../../../testkit/programs/keycloak/build.ts';
import { buildOAuth2Proxy } from '../../../testkit/programs/oauth2-proxy/build.ts';
import { buildSpringSecurity } from '../../../testkit/programs/spring-security/build.ts';
import makeRunDirectory from './make-run-directory.ts';

/** Builds the frameworks that relying parties log in with, if they are missing. */
export default (): void => {
  makeRunDirectory();
  installAuthlib();
  buildOAuth2Proxy();
  buildSpringSecurity();
  buildKeycloak();
};
