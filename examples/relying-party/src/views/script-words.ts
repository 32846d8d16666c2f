import type { Texts } from '../messages/messages.js';

/** The texts that the script of the signing pages shows. */
export const scriptWords = (texts: Texts) => ({
  tooLarge: texts.tooLarge,
  notSecure: texts.notSecure,
  unreadable: texts.unreadable,
  libraryNoAnswer: texts.libraryNoAnswer,
  wentWrong: texts.wentWrong,
  ready: texts.ready,
  notKept: texts.notKept,
  notFetched: texts.notFetched,
  otherDocument: texts.otherDocument,
  trustIssuer: texts.trustIssuer,
  trustStamp: texts.trustStamp,
  trustNoStamp: texts.trustNoStamp,
  trustGood: texts.trustGood,
  trustNotGood: texts.trustNotGood,
});
