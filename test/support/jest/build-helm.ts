import { buildHelm } from '../../../testkit/programs/helm/helm.ts';

/** Builds helm if it is missing: the build takes longer than a test may. */
export default (): void => void buildHelm();
