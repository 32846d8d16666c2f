export { FILE, FILE_NAME, type KeyType, type Signed, type Signer, SigningKit, signLikePhone } from './signing-kit.js';
export { wrongContainers } from './wrong-containers.js';
export { writeManifest } from '../manifest.js';
