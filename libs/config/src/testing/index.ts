export { hasSoftHsm, SoftHsm } from './soft-hsm.js';
