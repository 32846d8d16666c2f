import { TAG } from './der.js';
import { MalformedDer } from './malformed-der.js';

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
// X.690 §11.7: a fraction has no trailing zero
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,8}[1-9])?Z$/;

/**
 * Epoch milliseconds of the text of a UTCTime or GeneralizedTime in UTC; a fraction of a second counts down to the millisecond. Throws
 * {@link MalformedDer}.
 */
export const readTime = (text: string, tag: number): number => {
  const pattern = tag === TAG.utcTime ? UTC_TIME : tag === TAG.generalizedTime ? GENERALIZED_TIME : undefined;
  const parts = pattern?.exec(text);
  if (!parts) throw new MalformedDer('time in UTC expected');
  const [, written = '', month, day, hour, minute, second, fraction = ''] = parts;
  const year = written.length === 4 ? Number(written) : Number(written) + (Number(written) < 50 ? 2000 : 1900);
  return at(year, Number(month), Number(day), [Number(hour), Number(minute), Number(second)]) + Math.floor(Number(`0${fraction}`) * 1000);
};

const at = (year: number, month: number, day: number, [hour, minute, second]: readonly [number, number, number]): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // a day or month that does not exist has become another one
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    throw new MalformedDer('no such time');
  return date.setUTCHours(hour, minute, second);
};
