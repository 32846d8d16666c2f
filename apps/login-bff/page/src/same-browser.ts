import { el, sentenceNodes } from '#web-page/browser';
import { isInAppBrowser } from './in-app-browser.js';
import type { Login } from './login-state.js';
import type { Messages } from './messages/messages.js';

/** The link of the relying party, to be opened in another browser. Where the browser does not copy, the link is shown. */
const copyLink = (url: string, texts: Messages): readonly Node[] => {
  const said = el('p', { role: 'status', 'data-testid': 'copied' });
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      said.textContent = texts.linkCopied;
    } catch {
      said.replaceChildren(sentenceNodes(texts.linkNotCopied, { link: el('bdi', { class: 'link' }, url) }));
    }
  };
  const button = el('button', { class: 'button secondary', type: 'button', click: () => void copy(), 'data-testid': 'copy-link' }, texts.copyLink);
  return [el('div', { class: 'buttons' }, button), said];
};

/** Stands before the button that opens the app, where the browser says that it is inside another app. */
export const inAppWarning = ({ finishByNumber }: Login, texts: Messages): HTMLElement | undefined =>
  isInAppBrowser(navigator.userAgent)
    ? el('p', { class: 'banner', 'data-testid': 'in-app' }, finishByNumber ? texts.inAppOrNumber : texts.inApp)
    : undefined;

/** Where the page has two columns, most people scan the code: the links beside it are for an app on the same machine. */
const isWide = (): boolean => matchMedia('(min-width: 46rem)').matches;

/**
 * Stands beside the button that opens the app: the app goes back to the default browser, and no page knows whether it is in that one. On a small screen
 * and inside an app it is open; elsewhere its first line is a question that opens it.
 */
export const sameBrowserHint = ({ relyingPartyUrl: url, finishByNumber }: Login, texts: Messages): HTMLElement =>
  el(
    'details',
    { open: isInAppBrowser(navigator.userAgent) || !isWide(), 'data-testid': 'same-browser' },
    el('summary', {}, texts.notUsualBrowser),
    el('p', {}, finishByNumber ? texts.sameBrowserOrNumber : texts.sameBrowser),
    ...(url === undefined ? [] : copyLink(url, texts)),
  );
