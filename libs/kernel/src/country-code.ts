import { isISO31661Alpha2 } from 'class-validator';

/** Kosovo. ISO 3166-1 leaves the code to its users; registers of persons, ICAO Doc 9303 and the European Union use it. */
const KOSOVO = 'XK';

/** Whether the text is a country code of ISO 3166-1 alpha-2, in capitals as the standard writes it, or that of Kosovo. */
export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text) && (text === KOSOVO || isISO31661Alpha2(text));
