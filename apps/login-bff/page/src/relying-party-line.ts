import { el, foreignName, sentenceNodes } from '#web-page/browser';
import type { Login } from './login-state.js';
import type { Messages } from './messages/messages.js';

/** The relying party of the request: logo, registered name, and the domain that the browser will be sent back to. */
export const relyingPartyLine = (
  { relyingPartyName, relyingPartyDomain, relyingPartyLogo }: Login,
  texts: Messages,
  loginUrl: string,
): readonly Node[] => {
  if (relyingPartyName === undefined) return [];
  const logo =
    relyingPartyLogo === undefined
      ? []
      : [el('img', { class: 'logo', src: `${loginUrl.replace(/\/+$/, '')}/${relyingPartyLogo}`, alt: '', 'data-testid': 'logo' })];
  const domain = relyingPartyDomain === undefined ? [] : [el('bdi', { class: 'domain', 'data-testid': 'domain' }, relyingPartyDomain)];
  return [...logo, el('span', { class: 'whom' }, el('span', {}, sentenceNodes(texts.for, { name: foreignName(relyingPartyName) })), ...domain)];
};
