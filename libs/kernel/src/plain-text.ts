/**
 * Control characters, line and paragraph separators, and the characters that override or isolate the writing
 * direction (Unicode UAX #9): shown to a person, they make a text look like another one.
 */
const DECEPTIVE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text may be shown to people: well-formed Unicode without a lone surrogate, and nothing deceptive in it. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !DECEPTIVE.test(text);

/** The length of a text as the interface counts it: in Unicode code points. */
export const codePoints = (text: string): number => [...text].length;
