import { installPyHanko } from '../../../tools/pyhanko/build.ts';
import buildStepCa from './build-step-ca.ts';

/** In CI, installs pyHanko and builds step-ca if they are missing. At a desk their tests are left out then. */
export default (): void => {
  buildStepCa();
  if (process.env['CI']) installPyHanko();
};
