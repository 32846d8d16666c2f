import type { PushedSession, SessionRequest } from '#clients/device';

import type { Messages } from '../messages/messages.js';

/** What a request asks of the person: a login, the signature of a document, or the approval of a change of the service. */
export type RequestKind = 'LOGIN' | 'SIGNATURE' | 'CHANGE';

/** Only the approval of a change has details (specification/admin.md#critical-changes). */
export const kindOf = ({ signatureType, details }: Pick<SessionRequest, 'signatureType' | 'details'>): RequestKind => {
  if (signatureType === 'SIGNING') return 'SIGNATURE';
  return details === undefined ? 'LOGIN' : 'CHANGE';
};

/** The words for each kind: below the name of who asks, above the PIN, and on the button. An approval shares nothing, so it says nothing of that. */
export const wordsOf = (
  kind: RequestKind,
  texts: Pick<Messages, 'asksLogin' | 'asksSign' | 'asksChange' | 'pinForLogin' | 'pinForSign' | 'pinForChange' | 'confirm' | 'sign'>,
): { readonly asks: string; readonly pinFor: string; readonly yes: string; readonly sharesSomething: boolean } => {
  switch (kind) {
    case 'LOGIN':
      return { asks: texts.asksLogin, pinFor: texts.pinForLogin, yes: texts.confirm, sharesSomething: true };
    case 'SIGNATURE':
      return { asks: texts.asksSign, pinFor: texts.pinForSign, yes: texts.sign, sharesSomething: true };
    case 'CHANGE':
      return { asks: texts.asksChange, pinFor: texts.pinForChange, yes: texts.confirm, sharesSomething: false };
  }
};

/** What a request in the inbox asks for, with a place for the name of who asks. */
export const inboxSentence = (
  { signing, change }: Pick<PushedSession, 'signing' | 'change'>,
  texts: Pick<Messages, 'inboxLogin' | 'inboxSign' | 'inboxChange'>,
): string => {
  if (signing === true) return texts.inboxSign;
  return change === true ? texts.inboxChange : texts.inboxLogin;
};
