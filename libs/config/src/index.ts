export * as format from './formats.js';
export { readOrCreateFile } from './read-or-create-file.js';
export { KeyDirectory } from './key-directory.js';
export { isGuarded } from './environment.js';
export { loadPlatformSettings } from './load-platform-settings.js';
export { InvalidSettings, loadSettings } from './load-settings.js';
export { PlatformSettings } from './platform-settings.js';
export { Setting } from './setting.decorator.js';
export { settingsTable } from './settings-document.js';
