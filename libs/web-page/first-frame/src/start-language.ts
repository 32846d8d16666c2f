import { chooseLanguage } from './language.js';

/**
 * The language of the first frame, chosen as {@link currentLanguage} chooses it. A file of its own: the first script of a page
 * carries nothing that it does not need.
 *
 * @param languages those that the first frame has; the first one where it has not the chosen one
 */
export const startLanguage = (languages: readonly string[]): string => {
  const chosen = chooseLanguage(navigator.languages, remembered());
  return languages.includes(chosen) ? chosen : (languages[0] ?? 'en');
};

const remembered = (): string | null => {
  try {
    return localStorage.getItem('countersign.language');
  } catch {
    return null;
  }
};
