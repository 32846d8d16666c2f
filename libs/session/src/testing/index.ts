export { CODE_CHALLENGE, CODE_VERIFIER, LOGIN, REDIRECT_URI } from './login-request.js';
export { MemoryStatusCache } from '../status/testing/memory-status-cache.js';
export { storeFinishedSessions } from './finished-sessions.js';
export { DEVICE, type SessionHistory, sessionHistory } from './session-history.js';
export { STORED_CREATION } from './stored-creation.js';
