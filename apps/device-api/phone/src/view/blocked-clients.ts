import type { BlockedClient } from '#clients/device';
import { el, foreignName } from '#web-page/browser';
import { button, paragraph, type Screen } from './screen.js';

/** The relying parties that the person has blocked, folded, each with what the person can do about it. */
export const blockedClients = (screen: Screen, blocked: readonly BlockedClient[]): readonly HTMLElement[] => {
  if (blocked.length === 0) return [];
  const { texts } = screen;
  return [
    el(
      'details',
      { class: 'device', 'data-testid': 'blocked-clients' },
      el('summary', {}, texts.blockedTitle),
      paragraph(texts.blockedText),
      el('div', { class: 'history' }, el('ol', {}, ...blocked.map((client) => entry(screen, client)))),
    ),
  ];
};

const entry = ({ texts, blocked }: Screen, client: BlockedClient): HTMLElement =>
  el(
    'li',
    { 'data-testid': 'blocked-client' },
    el('span', {}, foreignName(client.relyingPartyName)),
    client.reported
      ? el('span', { class: 'history-when', 'data-testid': 'reported' }, texts.reported)
      : button(texts.report, 'report', () => void blocked.report(client), 'secondary'),
    button(texts.unblock, 'unblock', () => void blocked.unblock(client), 'secondary'),
  );
