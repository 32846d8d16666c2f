export { type TestPlatform, testPlatform } from './test-platform.js';
