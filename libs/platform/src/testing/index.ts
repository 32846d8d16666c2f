export { type TestPlatform, testPlatform } from './test-platform.js';
export { type SessionFixture, sessionFixture } from './session-fixture.js';
