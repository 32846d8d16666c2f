import { buildCmpRa } from '../../../testkit/programs/cmp-ra/build.ts';
import { buildStepCa } from '../../../testkit/programs/step-ca/build.ts';

/** In CI, builds step-ca and the registration authority by CMP if they are missing. At a desk their tests are left out then. */
export default (): void => {
  if (!process.env['CI']) return;
  buildStepCa();
  buildCmpRa();
};
