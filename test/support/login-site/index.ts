export { keepsTheRulesOfALogin } from './rules.js';
export type { LoginSite } from './login-site.js';
export { packSdk } from './pack-sdk.js';
export { runIn } from './run-in.js';
export { SiteProcess } from './site-process.js';
