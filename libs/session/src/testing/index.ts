export { CODE_CHALLENGE, CODE_VERIFIER, LOGIN, REDIRECT_URI } from './login-request.js';
export { DEVICE, type SessionHistory, sessionHistory } from './session-history.js';
