export { builtPage } from './built-page.js';
export { type PageSecurity, securityHeaders } from './security-headers.js';
export { serveWebPage, type WebPage } from './serve-web-page.js';
