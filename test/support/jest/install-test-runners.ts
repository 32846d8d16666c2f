import { installPytest } from '../../../testkit/programs/pytest/build.ts';
import { installTestRunners } from '../../../testkit/programs/test-runners/build.ts';
import makeRunDirectory from './make-run-directory.ts';

/** Installs the test runners of relying parties, if they are missing. */
export default (): void => {
  makeRunDirectory();
  installTestRunners();
  installPytest();
};
