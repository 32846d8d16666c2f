import { el, foreignText } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { about, asker, button, paragraph, type Screen } from './screen.js';

/** Milliseconds in which taps do not count. A link may arrive at the moment when the person taps a button of the open request. */
const SETTLE_MS = 800;

/** The screen that shows who asks by a link. The relying party learns of this phone only when the person taps the button that continues. */
export const previewScreen = (screen: Screen, { preview, interrupted }: Extract<PhoneState, { kind: 'PREVIEW' }>): readonly Node[] => {
  const { texts, phone, onLeave } = screen;
  const { relyingPartyName: name, relyingPartyDomain: domain, signing } = preview;
  const proceed = button(texts.next, 'continue', () => void phone.links.proceed());
  if (interrupted) {
    proceed.disabled = true;
    const settled = setTimeout(() => (proceed.disabled = false), SETTLE_MS);
    onLeave(() => clearTimeout(settled));
  }
  return [
    asker(name, signing ? texts.asksSign : texts.asksLogin),
    ...(domain === undefined ? [] : [paragraph(foreignText(domain), 'party-domain')]),
    paragraph(about(texts.previewText, name), 'preview-text'),
    ...(interrupted
      ? [el('p', { class: 'banner', 'data-testid': 'declines-open' }, about(texts.previewDeclines, interrupted.request.relyingPartyName))]
      : []),
    el(
      'div',
      { class: 'choice' },
      button(texts.notNow, 'not-now', () => phone.links.putOff(), 'secondary'),
      proceed,
    ),
  ];
};
