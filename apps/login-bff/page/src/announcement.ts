import { sentence } from '#web-page/browser';
import { END_TEXTS } from './end-texts.js';
import type { LoginState } from './login-state.js';
import type { Messages } from './messages/messages.js';

/** The text that a screen reader speaks for the state. */
export const announcementOf = (state: LoginState, texts: Messages): string => {
  const name = 'login' in state ? (state.login?.relyingPartyName ?? texts.someService) : texts.someService;
  switch (state.kind) {
    case 'STARTING':
      return texts.starting;
    case 'WAITING':
      return texts.scan;
    case 'SCANNED':
      return `${texts.scanned} ${sentence(texts.scannedDetail, { name })}`;
    case 'COMPLETING':
    case 'REDIRECTING':
      return texts.completing;
    case 'ENDED':
      return `${texts[END_TEXTS[state.end].title]}. ${sentence(texts[END_TEXTS[state.end].text], { name })}`;
  }
};
