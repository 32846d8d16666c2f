import type { WaitingPage } from '#clients/device';
import { sentence } from '#web-page/browser';
import type { Messages } from '../messages/messages.js';

/** The facts about the page that waits, for the person to compare with the page that is open. Browser and system are names of products: in no language. */
export const waitingPageWords = ({ browser, system, sameNetwork }: WaitingPage, texts: Messages): readonly string[] => {
  const page = [browser, system].filter((name) => name !== undefined).join(', ');
  return [
    ...(page === '' ? [] : [sentence(texts.waitingPage, { page })]),
    ...(sameNetwork === undefined ? [] : [sameNetwork ? texts.waitingHere : texts.waitingElsewhere]),
  ];
};
