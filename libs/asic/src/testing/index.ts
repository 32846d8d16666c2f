export { FILE, FILE_NAME, type KeyType, type Signed, type Signer, SigningKit, signLikePhone } from './signing-kit.js';
export { forgeContainer, type Forgery } from './forge-container.js';
export type { WrongContainer } from './wrong-container.js';
export { wrongContainers } from './wrong-containers.js';
