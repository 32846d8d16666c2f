export { builtPage, packageRoot } from './built-page.js';
export { securityHeaders } from './security-headers.js';
export { serveWebPage } from './serve-web-page.js';
export { LANGUAGES } from '../first-frame/src/language.js';
