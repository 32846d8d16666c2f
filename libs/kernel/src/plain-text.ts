import { DECEPTIVE } from '../browser/src/index.js';

/** A text without deceptive characters. */
export const PLAIN_TEXT = new RegExp(`^[^${DECEPTIVE}]*$`);

// Surrogates stay pairs by the flag u.
const DECEPTIVE_OR_MARK = new RegExp(String.raw`[${DECEPTIVE}\p{Bidi_Control}]`, 'gu');

/** Whether a text may be shown to people: well-formed Unicode without a lone surrogate, and nothing deceptive in it. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && PLAIN_TEXT.test(text);

/** For a line of a log or of a terminal: deceptive characters and all marks of direction become `?`. */
export const onOneLine = (text: string): string => text.replace(DECEPTIVE_OR_MARK, '?');

/** The length of a text as the interface counts it: in Unicode code points. */
export const codePoints = (text: string): number => [...text].length;
