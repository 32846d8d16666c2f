import { isISO31661Alpha2 } from 'class-validator';

/** Whether the text is a country code of ISO 3166-1 alpha-2, in capitals as the standard writes it. */
export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text) && isISO31661Alpha2(text);
