/** How long a browser may take to hand over to an app, in milliseconds. */
const HAND_OVER_MS = 2000;

/**
 * Tells when the link to the app has opened none. Browsers do not say so: the sign is that this page keeps the person's attention, without a
 * question of the browser in front of it and without another app.
 */
export const watchAppLink = (link: HTMLAnchorElement, notFound: () => void): void => {
  link.addEventListener('click', () => {
    const { signal, abort } = cancellable();
    const timer = setTimeout(() => {
      abort();
      if (document.visibilityState === 'visible') notFound();
    }, HAND_OVER_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
    for (const left of ['blur', 'pagehide']) addEventListener(left, abort, { signal });
    document.addEventListener('visibilitychange', abort, { signal });
  });
};

const cancellable = (): { readonly signal: AbortSignal; readonly abort: () => void } => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};
