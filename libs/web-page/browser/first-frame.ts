/** What the first script of a page may use. It is inside the document, so it carries nothing else. */
export { pauseUntilOnline, retryDelayMs } from './retry.js';
export { startLanguage } from './start-language.js';
