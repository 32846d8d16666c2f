export { FILE, FILE_NAME, type KeyType, keyTypeOf, type Signed, type Signer, SigningKit, signLikePhone } from './signing-kit.js';
export { wrongContainers } from './wrong-containers.js';
export { writeManifest } from '../manifest.js';
