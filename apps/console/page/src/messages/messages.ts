import type { Language } from '#web-page/browser';
import type { Messages } from './en.js';

export type { Messages };

/** Each language is a file of its own, so that a page loads only the one it speaks. */
const FILES: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import('./en.js')).en,
  et: async () => (await import('./et.js')).et,
  de: async () => (await import('./de.js')).de,
  ru: async () => (await import('./ru.js')).ru,
  lv: async () => (await import('./lv.js')).lv,
  lt: async () => (await import('./lt.js')).lt,
};

export const loadMessages = (language: Language): Promise<Messages> => FILES[language]();
