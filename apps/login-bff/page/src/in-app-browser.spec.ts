import { isInAppBrowser } from './in-app-browser.js';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8';

describe('a browser inside an app', () => {
  it.each([
    ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.30.109]`],
    ['Instagram', `${IPHONE} Mobile/15E148 Instagram 330.0.0.40.92 (iPhone14,5)`],
    ['Instagram on Android', `${ANDROID} Build/UD1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/124.0 Mobile Safari/537.36 Instagram 330.0`],
    ['a WebView of Android', `${ANDROID}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0 Mobile Safari/537.36`],
    ['an unknown app on iOS', `${IPHONE} Mobile/15E148`],
    ['LINE', `${IPHONE} Mobile/15E148 Safari Line/14.5.0`],
    ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.49 NetType/WIFI`],
    ['Google’s app', `${IPHONE} GSA/313.0 Mobile/15E148 Safari/604.1`],
  ])('is known by its header: %s', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(true);
  });

  it.each([
    ['Safari', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
    ['Firefox on iOS', `${IPHONE} FxiOS/126.0 Mobile/15E148 Safari/605.1.15`],
    ['Chrome on Android', `${ANDROID}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36`],
    ['Safari at a desk', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'],
    ['WebKitGTK', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15'],
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    ['no header', ''],
  ])('is not taken for one: %s', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(false);
  });
});
