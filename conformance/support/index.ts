export { Browser, setCookie } from './browser.js';
export type { Answer, HttpRequest } from './http.js';
export { compactJws, newSigningRequest, Phone, type Proof } from './phone.js';
export { basic, codeIn, type Login, newPkce, RelyingParty } from './relying-party.js';
export { allSecrets, secret } from './secrets.js';
export { LIFETIMES, pause, Service, ServiceProcess, sharedService, startsProcesses } from './service.js';
export { type Person, Staff, word } from './staff.js';
export * from './expectations.js';
export * from './hostile.js';
