export { builtPage, packageRoot } from './built-page.js';
export { securityHeaders } from './security-headers.js';
export { serveWebPage } from './serve-web-page.js';
