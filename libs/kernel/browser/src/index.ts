export { growing, type Pause, pause, retry, type RetryOptions, untilAborted } from './retry.js';

/** Control characters, and those that embed, override or isolate the writing direction (Unicode UAX #9), as a part of a class of characters. */
export const STEERING = String.raw`\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069`;

/**
 * The same, and the separators of lines and paragraphs: shown to a person, they make a text look like another one
 * (specification/conventions.md#text-that-can-deceive).
 */
export const DECEPTIVE = String.raw`${STEERING}\u2028\u2029`;

const EACH = new RegExp(`[${DECEPTIVE}]`, 'g');

/** For pages: deceptive characters become U+FFFD, although the service refuses them already. */
export const withoutDeception = (text: string): string => text.replace(EACH, '\ufffd');
