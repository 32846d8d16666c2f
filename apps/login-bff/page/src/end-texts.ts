import type { End } from './login-state.js';
import type { Messages } from './messages/messages.js';
import type { Picture } from './end-picture.js';

interface EndTexts {
  readonly title: keyof Messages;
  readonly text: keyof Messages;
  /** Instead of the text, for a signature. */
  readonly signing?: keyof Messages;
  readonly picture: Picture;
}

/** The texts and the picture of each end. */
export const END_TEXTS: Readonly<Record<End, EndTexts>> = {
  DECLINED: { title: 'declinedTitle', text: 'declined', signing: 'declinedSign', picture: 'CROSS' },
  WRONG_CODE: { title: 'wrongCodeTitle', text: 'wrongCode', picture: 'CROSS' },
  WITHDRAWN: { title: 'withdrawnTitle', text: 'withdrawn', picture: 'BACK' },
  SIGNING_FAILED: { title: 'signFailedTitle', text: 'signFailed', picture: 'DOCUMENT' },
  EXPIRED: { title: 'expiredTitle', text: 'expired', picture: 'CLOCK' },
  CONTINUED_ELSEWHERE: { title: 'elsewhereTitle', text: 'elsewhere', picture: 'WINDOWS' },
  COOKIES_NEEDED: { title: 'cookiesTitle', text: 'cookies', picture: 'COOKIE' },
  COOKIE_GONE: { title: 'cookieGoneTitle', text: 'cookieGone', picture: 'COOKIE' },
  OTHER_BROWSER: { title: 'otherBrowserTitle', text: 'otherBrowser', picture: 'WINDOWS' },
  LINK_FROM_ELSEWHERE: { title: 'linkElsewhereTitle', text: 'linkElsewhere', picture: 'WINDOWS' },
  INVALID_HANDOFF: { title: 'handoffTitle', text: 'handoff', picture: 'LINK' },
  ALREADY_COMPLETED: { title: 'completedTitle', text: 'completed', picture: 'TICK' },
  GOES_ON_BY_THE_APP: { title: 'byAppTitle', text: 'byApp', picture: 'PHONE' },
  WRONG_NUMBER: { title: 'wrongNumberTitle', text: 'wrongNumber', picture: 'CROSS' },
  NOTHING_TO_DO: { title: 'nothingTitle', text: 'nothing', picture: 'PHONE' },
  FAILED: { title: 'failedTitle', text: 'failed', picture: 'CROSS' },
};
