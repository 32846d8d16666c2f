import type { End } from './login-state.js';
import type { Messages } from './messages/messages.js';

/** The text of the page at each end, and whether it offers the way back. */
export const END_TEXTS: Readonly<Record<End, { readonly title: keyof Messages; readonly text: keyof Messages; readonly back: boolean }>> = {
  DECLINED: { title: 'declinedTitle', text: 'declined', back: true },
  EXPIRED: { title: 'expiredTitle', text: 'expired', back: true },
  CONTINUED_ELSEWHERE: { title: 'elsewhereTitle', text: 'elsewhere', back: false },
  OTHER_BROWSER: { title: 'otherBrowserTitle', text: 'otherBrowser', back: false },
  INVALID_HANDOFF: { title: 'handoffTitle', text: 'handoff', back: true },
  ALREADY_COMPLETED: { title: 'completedTitle', text: 'completed', back: true },
  NOTHING_TO_DO: { title: 'nothingTitle', text: 'nothing', back: false },
  FAILED: { title: 'failedTitle', text: 'failed', back: true },
};
