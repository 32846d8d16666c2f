/**
 * The functions of browsers that the hosted page, the web phone and the portal call without asking whether they are there, and that are newer than
 * modules in scripts. Each browser of docs/browsers.md has them. A document says at once that its browser is too old where one is missing
 * (too-old.html). `pages.spec.ts` looks for more of them in the scripts of the build. It cannot see those that share their name with an older
 * function or a method of our own, as `abort`, `at`, `close` and `open` do: `missing-functions.browser` deletes all that are not in the list.
 */
export const NEEDED_FUNCTIONS: readonly string[] = [
  'AbortController.prototype.abort',
  'Array.prototype.at',
  'Array.prototype.flatMap',
  'Document.prototype.replaceChildren',
  'DocumentFragment.prototype.replaceChildren',
  'Element.prototype.replaceChildren',
  'HTMLDialogElement.prototype.close',
  'HTMLDialogElement.prototype.showModal',
  'IDBFactory.prototype.open',
  'Intl.DisplayNames',
  'Object.fromEntries',
  'Object.hasOwn',
  'Promise.prototype.finally',
  'String.prototype.at',
  'String.prototype.replaceAll',
  'globalThis',
  'queueMicrotask',
];

/** The newer functions that the scripts call only where the browser has them, and those of which a person notices nothing but that they are missing. */
export const ASKED_FOR_FUNCTIONS: readonly string[] = [
  // The camera of the web phone, where there is no BarcodeDetector.
  'OffscreenCanvas',
  'createImageBitmap',
  'Scheduler.prototype.yield',
  // Where the browser does not copy a link, the hosted page shows it.
  'Clipboard.prototype.writeText',
  // Wake-ups of the web phone.
  'Notification.requestPermission',
  'PushManager.prototype.getSubscription',
  'PushManager.prototype.subscribe',
  'PushSubscription.prototype.unsubscribe',
  // A package takes the shorter way where it can.
  'Uint8Array.prototype.toBase64',
];
