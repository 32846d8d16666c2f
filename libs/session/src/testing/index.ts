export { CODE_CHALLENGE, CODE_VERIFIER, DEVICE, LOGIN, REDIRECT_URI, type SessionWorld, sessionWorld } from './session-world.js';
