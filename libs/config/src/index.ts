export { PlatformSettings } from './platform-settings.js';
