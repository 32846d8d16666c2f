/** How long a browser may take to hand over to an app, in milliseconds. */
const HAND_OVER_MS = 2000;

/** The parts of a window that are used here; the browser's own window has them. The types of this package are Node's, which have no window. */
interface PageWindow extends EventTarget {
  readonly document: EventTarget & { readonly visibilityState: string };
}

/**
 * Calls `noAppOpened` two seconds after a click on the link to the app (`qrPayload`) that has opened none. Browsers do not say so: the sign is
 * that this page keeps the person's attention, without a question of the browser in front of it and without another app. For browsers.
 */
export const watchAppLink = (link: EventTarget, noAppOpened: () => void, page: PageWindow = globalThis as unknown as PageWindow): void => {
  link.addEventListener('click', () => {
    const watch = new AbortController();
    const { signal } = watch;
    const end = (): void => watch.abort();
    const timer = setTimeout(() => {
      end();
      if (page.document.visibilityState === 'visible') noAppOpened();
    }, HAND_OVER_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
    for (const left of ['blur', 'pagehide']) page.addEventListener(left, end, { signal });
    page.document.addEventListener('visibilitychange', end, { signal });
  });
};
