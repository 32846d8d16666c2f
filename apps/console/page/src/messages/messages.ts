import { messageLoader } from '#web-page/browser';
import type { Messages } from './en.js';

export type { Messages };

export const loadMessages = messageLoader<Messages>({
  en: () => import('./en.js'),
  et: () => import('./et.js'),
  de: () => import('./de.js'),
  ru: () => import('./ru.js'),
  lv: () => import('./lv.js'),
  lt: () => import('./lt.js'),
});
