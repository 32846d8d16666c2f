import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import { button } from './parts.js';
import { type ApprovalView, type Json, textOf } from './portal-api.js';

/** Shows in `place` what waits for the phone, and the number to choose there. */
export const showApproval = (place: HTMLElement, approval: Json, texts: Messages): ApprovalView => {
  const cancelling = new AbortController();
  const heading = el('h2', { tabindex: -1 }, texts.approveTitle);
  const view = el(
    'section',
    { class: 'part', role: 'alert', 'data-testid': 'approval' },
    heading,
    el('p', { 'data-testid': 'approval-title' }, textOf(approval, 'title')),
    el('p', {}, texts.approveText),
    el('p', { class: 'approval-code', 'data-testid': 'approval-code' }, textOf(approval, 'verificationCode')),
    button(texts.approveCancel, 'approval-cancel', async () => cancelling.abort(), 'quiet'),
  );
  place.append(view);
  heading.focus();
  view.scrollIntoView({ block: 'nearest' });
  return { cancelled: cancelling.signal, close: () => view.remove() };
};
