import { el } from './elements.js';
import { chooseLanguage, isLanguage, type Language, LANGUAGE_NAMES, LANGUAGES } from '../../first-frame/src/language.js';

const STORAGE_KEY = 'countersign.language';

/** The language of this visit: the one chosen here before, else the one that the browser prefers. */
export const currentLanguage = (): Language => chooseLanguage(navigator.languages, remembered());

/** A visible list of languages; the choice is remembered in this browser. */
export const languageSwitch = (label: string, current: Language, onChange: (language: Language) => void): HTMLElement => {
  const options = LANGUAGES.map((language) =>
    el('option', { value: language, lang: language, selected: language === current }, LANGUAGE_NAMES[language]),
  );
  const select = el(
    'select',
    {
      'aria-label': label,
      'data-testid': 'language',
      change: () => {
        if (!isLanguage(select.value)) return;
        remember(select.value);
        onChange(select.value);
      },
    },
    ...options,
  );
  return el('div', { class: 'language' }, select);
};

// Storage may be refused (private windows, policies): then the choice lasts for this visit.
const remembered = (): string | null => {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
};

const remember = (language: Language): void => {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    /* see above */
  }
};
