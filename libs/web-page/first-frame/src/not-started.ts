/**
 * Takes the sentence out of the document that says that the page has not started: the first script calls it last, so it also stays when that script
 * fails (tools/pages/not-started.html).
 *
 * @returns shows the sentence at once, in this language, in place of the elements that say that the page is loading (`data-loading`)
 */
export const takeNotStarted = (language: string): (() => void) => {
  const notice = document.getElementById('not-started');
  notice?.remove();
  return () => {
    if (notice === null || notice.isConnected) return;
    notice.className = 'not-started now';
    for (const element of document.querySelectorAll('[data-loading]')) element.remove();
    for (const text of notice.querySelectorAll('p')) text.hidden = text.lang !== language;
    (document.querySelector('main') ?? document.body).append(notice);
  };
};
