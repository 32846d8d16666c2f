/** What the first script of a page may use. It is inside the document, so it carries nothing else. */
export { takeNotStarted } from './not-started.js';
export { openProgram } from './open-program.js';
export { pageConfig } from './page-config.js';
export { startLanguage } from './start-language.js';
export { isTooOld } from './too-old.js';
export { write } from './write.js';
export { withTimeLimit } from '../../calls/src/index.js';
