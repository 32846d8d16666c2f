import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { watchAppLink } from './app-link.js';

const page = Object.assign(new EventTarget(), { document: Object.assign(new EventTarget(), { visibilityState: 'visible' }) });
const link = new EventTarget();
let calls = 0;
watchAppLink(link, () => (calls += 1), page);

beforeEach(() => {
  jest.useFakeTimers();
  calls = 0;
  page.document.visibilityState = 'visible';
});

afterEach(() => {
  jest.useRealTimers();
});

describe('a link to the app', () => {
  it('opened none when the page keeps the attention for two seconds, at each click anew', () => {
    link.dispatchEvent(new Event('click'));
    jest.advanceTimersByTime(1999);
    expect(calls).toBe(0);
    jest.advanceTimersByTime(1);
    expect(calls).toBe(1);
    link.dispatchEvent(new Event('click'));
    jest.advanceTimersByTime(60_000);
    expect(calls).toBe(2);
  });

  it.each([
    ['the browser asks the person', () => page.dispatchEvent(new Event('blur'))],
    ['the page is left', () => page.dispatchEvent(new Event('pagehide'))],
    ['another app is in front', () => page.document.dispatchEvent(new Event('visibilitychange'))],
    ['the page is hidden', () => (page.document.visibilityState = 'hidden')],
  ])('may have opened one when %s', (_, happens) => {
    link.dispatchEvent(new Event('click'));
    happens();
    jest.advanceTimersByTime(60_000);
    expect(calls).toBe(0);
  });
});
