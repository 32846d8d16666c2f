import { el, foreignText } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { about, asker, button, paragraph, type Screen } from './screen.js';

/** A page may bring a link at the moment in which the person taps a button of the open request. That tap must not count here; milliseconds. */
const SETTLE_MS = 800;

/** Who asks by a link. The relying party learns of this phone only by the button that continues. */
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
    asker(screen, name, signing),
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
