import { buildHelm } from '../../../tools/helm/helm.ts';

/** Builds helm where it is not there yet: a test has no time for it. */
export default (): void => void buildHelm();
