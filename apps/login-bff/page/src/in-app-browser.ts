/** What apps write into the `User-Agent` of the browser inside them (docs/browsers.md#browsers-inside-apps). */
const SIGNS = [
  /\bFB(?:AN|AV)\//, // Facebook and Messenger
  /\bInstagram\b/,
  /; wv\)/, // Android WebView, whatever the app
  /\bLine\//,
  /\bMicroMessenger\//, // WeChat
  /\b(?:BytedanceWebview|musical_ly)/, // TikTok
  /\bSnapchat\b/,
  /\bLinkedInApp\b/,
  /\[Pinterest\//,
  /\bGSA\//, // Google's app on iOS
];

/** The browser of an app on iOS; browsers there name Safari. */
const IOS = /\b(?:iPhone|iPad|iPod)\b.*\bAppleWebKit\/(?!.*\bSafari\/)/;

/**
 * Whether a browser says that it is inside an app. Such browsers share no cookies with the others of the device. An answer of `false` does not mean that
 * this is the default browser: a page cannot know that.
 */
export const isInAppBrowser = (userAgent: string): boolean => [...SIGNS, IOS].some((sign) => sign.test(userAgent));
