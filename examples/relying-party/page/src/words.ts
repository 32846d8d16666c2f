/** The texts of the script, which the server wrote into the page in the reader's language. */
type Word =
  | 'tooLarge'
  | 'notSecure'
  | 'unreadable'
  | 'libraryNoAnswer'
  | 'wentWrong'
  | 'ready'
  | 'notKept'
  | 'notFetched'
  | 'otherDocument'
  | 'trustIssuer'
  | 'trustStamp'
  | 'trustNoStamp'
  | 'trustGood'
  | 'trustNotGood';

/** Read at each use: the page after the form has a `main` of its own. */
export const words = (): Readonly<Record<Word, string>> =>
  JSON.parse(document.querySelector<HTMLElement>('[data-words]')?.dataset['words'] ?? '{}') as Readonly<Record<Word, string>>;
