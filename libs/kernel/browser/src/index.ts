export { growing, type Pause, pause, retry, type RetryOptions, untilAborted } from './retry.js';

/**
 * Control characters, those that embed, override or isolate the writing direction (Unicode UAX #9), and the separators of lines and paragraphs, as a part of a class of
 * characters: shown to a person, they make a text look like another one (specification/conventions.md#text-that-can-deceive).
 */
export const DECEPTIVE = String.raw`\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029`;

const EACH = new RegExp(`[${DECEPTIVE}]`, 'g');

/** For pages: deceptive characters become U+FFFD, although the service refuses them already. */
export const withoutDeception = (text: string): string => text.replace(EACH, '\ufffd');
