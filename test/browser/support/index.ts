export { accessibilityFaults } from './accessibility.js';
export type { DemoLibrary } from './demo-library.js';
export { Keyboard } from './keyboard.js';
export { readQr } from './qr-reader.js';
export { payloadOf, sessionIn } from './scan-uri.js';
export { handoffTokenIn, useStage } from './stage.js';
export { verifySigned } from './verify-signed.js';
export type { Visitor } from './visitor.js';
export { PIN, WebPhone, WRONG_PIN } from './web-phone.js';
