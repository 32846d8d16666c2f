export { type LoginSite, keepsTheRulesOfALogin } from './rules.js';
export { packSdk } from './pack-sdk.js';
export { runIn } from './run-in.js';
export { SiteProcess } from './site-process.js';
