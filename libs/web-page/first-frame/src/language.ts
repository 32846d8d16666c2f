/** The languages of every page. The first one is used when the browser prefers none of them. */
export const LANGUAGES = ['en', 'et', 'de', 'ru', 'lv', 'lt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language, so that its readers find it in the list. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  et: 'Eesti',
  de: 'Deutsch',
  ru: 'Русский',
  lv: 'Latviešu',
  lt: 'Lietuvių',
};

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

/** The reader's regional variant of a language, for dates and times: `en-GB` where the browser prefers that English. */
export const localeOf = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.split('-')[0]?.toLowerCase() === language) ?? language;

/**
 * The language of the page: the one chosen on this page before, else the first that the browser prefers and we have.
 *
 * @param preferred BCP 47 tags in order, as `navigator.languages` gives them
 */
export const chooseLanguage = (preferred: readonly string[], chosen?: unknown): Language => {
  if (isLanguage(chosen)) return chosen;
  for (const tag of preferred) {
    const primary = tag.split('-')[0]?.toLowerCase();
    if (isLanguage(primary)) return primary;
  }
  return LANGUAGES[0];
};
