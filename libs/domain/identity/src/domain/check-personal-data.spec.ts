import { InvalidRequest } from '#kernel';

import { checkPersonalData } from './check-personal-data.js';
import type { PersonalData } from './personal-data.js';

const person: PersonalData = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', dateOfBirth: '1971-01-01', country: 'EE' };
const check = (changes: Partial<PersonalData>) => () => checkPersonalData({ ...person, ...changes }, '2026-01-01');

describe('personal data', () => {
  it.each<Partial<PersonalData>>([
    {},
    { givenName: 'Ž', familyName: "O'Neill-Šmit" },
    { givenName: 'محمد' },
    { familyName: 'کتاب\u200cخانه' },
    { familyName: 'ශ්\u200dරී' },
    { givenName: 'x'.repeat(65), familyName: 'y'.repeat(32_768) },
    { givenName: '' },
    { familyName: '' },
    { personalCode: '121212+1212', country: 'SE' },
    { country: 'XK' },
    { dateOfBirth: '1971' },
    { dateOfBirth: '1850' },
    { dateOfBirth: '1971-12' },
    { dateOfBirth: '2026' },
    { dateOfBirth: '2026-01' },
    { personalCode: 'a' },
    { personalCode: 'A-'.repeat(16) },
    { dateOfBirth: '2024-02-29' },
    { dateOfBirth: '2026-01-01' },
    { dateOfBirth: '1850-01-01' },
    { email: `${'x'.repeat(242)}@example.com` },
    { email: 'mari@example.com', phoneNumber: '+37255512345' },
  ])('may be %j', (changes) => {
    expect(check(changes)).not.toThrow();
  });

  it('may lack a date of birth', () => {
    const { dateOfBirth: _, ...others } = person;
    expect(() => checkPersonalData(others, '2026-01-01')).not.toThrow();
  });

  it.each<[Partial<PersonalData>, string]>([
    [{ givenName: '', familyName: '' }, '`given_name` or `family_name` is required: at most one of them may be empty.'],
    [{ familyName: 'x'.repeat(32_769) }, '`family_name` must have at most 32768 characters.'],
    [{ givenName: ' ' }, '`given_name` must not begin or end with white space.'],
    [{ givenName: 'Ma\u0000ri' }, '`given_name` must hold no control or direction-override character.'],
    [{ familyName: 'Maasikas ' }, '`family_name` must not begin or end with white space.'],
    [{ personalCode: '' }, '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.'],
    [{ personalCode: 'x'.repeat(33) }, '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.'],
    [{ personalCode: '4710 1010033' }, '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.'],
    [{ personalCode: '47101010033\n' }, '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.'],
    [{ country: 'ee' }, '`country` must be an ISO 3166-1 alpha-2 code in capitals, or XK.'],
    [{ country: 'EST' }, '`country` must be an ISO 3166-1 alpha-2 code in capitals, or XK.'],
    [{ country: 'XX' }, '`country` must be an ISO 3166-1 alpha-2 code in capitals, or XK.'],
    [{ dateOfBirth: '2025-02-29' }, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.'],
    [{ dateOfBirth: '1971-1-1' }, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.'],
    [{ dateOfBirth: '1971-13-01' }, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.'],
    [{ dateOfBirth: '1971-01-01T00:00:00Z' }, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.'],
    [{ dateOfBirth: '+012345-01-01' }, '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.'],
    ...['197', '1971-', '1971-1', '1971-13', '1971-00', '1971-02-', '00', '', '1971-00-00', '1971-12-00', '0000'].map(
      (dateOfBirth): [Partial<PersonalData>, string] => [
        { dateOfBirth },
        dateOfBirth === '0000'
          ? '`date_of_birth` must lie between 1850 and today.'
          : '`date_of_birth` must be a calendar date, YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY.',
      ],
    ),
    [{ dateOfBirth: '2027' }, '`date_of_birth` must lie between 1850 and today.'],
    [{ dateOfBirth: '2026-02' }, '`date_of_birth` must lie between 1850 and today.'],
    [{ dateOfBirth: '1849' }, '`date_of_birth` must lie between 1850 and today.'],
    [{ dateOfBirth: '2026-01-02' }, '`date_of_birth` must lie between 1850 and today.'],
    [{ dateOfBirth: '1849-12-31' }, '`date_of_birth` must lie between 1850 and today.'],
    [{ email: 'mari' }, '`email` must be an e-mail address.'],
    [{ email: `${'x'.repeat(243)}@example.com` }, '`email` must be an e-mail address.'],
    [{ email: 'ma\u0007ri@example.com' }, '`email` must be an e-mail address.'],
    [{ email: 'ma ri@example.com' }, '`email` must be an e-mail address.'],
    [{ phoneNumber: '55512345' }, '`phone_number` must be written as in E.164, like +37255512345.'],
    [{ phoneNumber: '+372 5551 2345' }, '`phone_number` must be written as in E.164, like +37255512345.'],
  ])('may not be %j', (changes, detail) => {
    expect(check(changes)).toThrow(new InvalidRequest(detail));
  });
});
