import { installPyHanko } from '../../../testkit/programs/pyhanko/build.ts';
import { installWycheproof } from '../../../testkit/programs/wycheproof/vectors.ts';
import buildAuthorities from './build-authorities.ts';

/** In CI, installs pyHanko and the vectors of Wycheproof, and builds the certificate authorities if they are missing. At a desk their tests are left out then. */
export default (): void => {
  buildAuthorities();
  if (!process.env['CI']) return;
  installPyHanko();
  installWycheproof();
};
