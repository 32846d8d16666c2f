import { sentence } from '#web-page/browser';
import { END_TEXTS } from './end-texts.js';
import type { End, Login, LoginState } from './login-state.js';
import type { Messages } from './messages/messages.js';

/** The sentence of an end, which for a signature may be another one. */
export const endText = (end: End, login: Login | undefined): keyof Messages =>
  (login?.signatureType === 'SIGNING' ? END_TEXTS[end].signing : undefined) ?? END_TEXTS[end].text;

const codeOf = ({ verificationCode: code }: Login, texts: Messages): string => (code === undefined ? '' : ` ${texts.chooseCode} ${code}`);

/** The text that a screen reader speaks for the state. */
export const announcementOf = (state: LoginState, texts: Messages): string => {
  const login = 'login' in state ? state.login : undefined;
  const name = login?.relyingPartyName ?? texts.someService;
  const signing = login?.signatureType === 'SIGNING';
  switch (state.kind) {
    case 'STARTING':
      return texts.starting;
    case 'WAITING':
      return state.login.pushStatus === 'DISPATCHED' ? `${texts.pushed}${codeOf(state.login, texts)}` : texts.scan;
    case 'SCANNED':
      return `${signing ? texts.scannedSign : texts.scanned} ${sentence(texts.scannedDetail, { name })}${codeOf(state.login, texts)}`;
    case 'NUMBER':
      return `${texts.numberLead} ${texts.numberDetail}`;
    case 'COMPLETING':
    case 'REDIRECTING':
      return signing ? texts.completingSign : texts.completing;
    case 'CANCELLED':
      return '';
    case 'ENDED':
      return `${texts[END_TEXTS[state.end].title]}. ${sentence(texts[endText(state.end, login)], { name })}`;
  }
};
