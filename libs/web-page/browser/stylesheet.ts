/**
 * Loads the stylesheet that the document names. The document does not link it itself, so that nothing is fetched before the
 * first script has cleaned the address bar.
 */
export const loadStylesheet = (): Promise<void> =>
  new Promise((resolve) => {
    const href = document.documentElement.dataset['stylesheet'];
    if (href === undefined) return resolve();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
