export { macsOfDataDirectory, openDataDirectory } from './open-data-directory.js';
export { type TestPlatform, testPlatform } from './test-platform.js';
export { type SessionFixture, sessionFixture } from './session-fixture.js';
