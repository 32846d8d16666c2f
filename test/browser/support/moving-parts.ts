import type { Page } from 'playwright-core';

/** How many elements of the page have a style that animates for longer than a millisecond, for a reader who asks for less motion and for one who does not. */
export const movingParts = async (page: Page): Promise<{ reduced: number; otherwise: number }> => {
  const count = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
    await page.emulateMedia({ reducedMotion });
    return page.evaluate(() => {
      const lasts = (durations: string): boolean => durations.split(',').some((duration) => parseFloat(duration) > 0.001);
      const moves = (style: CSSStyleDeclaration): boolean =>
        (style.animationName !== 'none' && lasts(style.animationDuration)) ||
        (style.transitionProperty !== 'none' && lasts(style.transitionDuration));
      return [...document.querySelectorAll('*')].filter((element) =>
        ['', '::before', '::after'].some((part) => moves(getComputedStyle(element, part))),
      ).length;
    });
  };
  return { otherwise: await count('no-preference'), reduced: await count('reduce') };
};
