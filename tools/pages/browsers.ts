/** The oldest browsers that the pages are built for (docs/browsers.md). Safari stands for WebKit, Chrome for Chromium, each also on phones. */
export const OLDEST_BROWSERS = { chrome: '111', firefox: '115', safari: '16.4' } as const;
