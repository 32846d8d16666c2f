import { buildStepCa } from '../../../tools/step-ca/build.ts';

/** In CI, builds step-ca if it is missing. At a desk its tests are left out then. */
export default (): void => {
  if (process.env['CI']) buildStepCa();
};
