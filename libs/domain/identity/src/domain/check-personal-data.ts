import { codePoints, InvalidRequest, isCountryCode, isPlainText } from '#kernel';

import type { PersonalData } from './personal-data.js';

/** What the form of each field is checked against. */
export const PERSONAL_DATA_LIMITS = {
  /** Unicode code points: ub-name of X.520 and RFC 5280 appendix A.1, the bound of surname and givenName in a certificate. */
  longestName: 32_768,
  personalCode: /^[A-Za-z0-9+-]{1,32}$/,
  dateOfBirth: /^\d{4}(-\d{2}(-\d{2})?)?$/,
  longestEmail: 254,
  email: /^[^\s@]+@[^\s@]+$/,
  phoneNumber: /^\+[1-9][0-9]{6,14}$/,
} as const;

/** Checks the rules of a registration (specification/admin.md#identities). `today` is YYYY-MM-DD,
 * where a day begins first: a person may be registered on the day of birth. Throws {@link InvalidRequest}, which names the field and never its value. */
export const checkPersonalData = (person: PersonalData, today: string): void => {
  const { personalCode, longestEmail, email, phoneNumber } = PERSONAL_DATA_LIMITS;
  checkName('given_name', person.givenName);
  checkName('family_name', person.familyName);
  check(person.givenName !== '' || person.familyName !== '', '`given_name` or `family_name` is required: at most one of them may be empty.');
  check(personalCode.test(person.personalCode), '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.');
  check(isCountryCode(person.country), '`country` must be an ISO 3166-1 alpha-2 code in capitals, or XK.');
  if (person.dateOfBirth !== undefined) checkDateOfBirth(person.dateOfBirth, today);
  if (person.email !== undefined) {
    check(person.email.length <= longestEmail && isPlainText(person.email) && email.test(person.email), '`email` must be an e-mail address.');
  }
  if (person.phoneNumber !== undefined) check(phoneNumber.test(person.phoneNumber), '`phone_number` must be written as in E.164, like +37255512345.');
};

const check = (holds: boolean, rule: string): void => {
  if (!holds) throw new InvalidRequest(rule);
};

const checkName = (field: string, name: string): void => {
  const length = codePoints(name);
  check(length <= PERSONAL_DATA_LIMITS.longestName, `\`${field}\` must have at most ${PERSONAL_DATA_LIMITS.longestName} characters.`);
  check(isPlainText(name), `\`${field}\` must hold no control or direction-override character.`);
  check(name === name.trim(), `\`${field}\` must not begin or end with white space.`);
};

const checkDateOfBirth = (date: string, today: string): void => {
  const isDate = PERSONAL_DATA_LIMITS.dateOfBirth.test(date) && isCalendarDate(`${date}-01-01`.slice(0, 'YYYY-MM-DD'.length));
  check(isDate, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.');
  check(date >= '1850' && date <= today.slice(0, date.length), '`date_of_birth` must lie between 1850 and today.');
};

// Date parses 30 February as 2 March.
const isCalendarDate = (date: string): boolean => {
  const read = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date);
};
