import { en } from '../messages/en.js';
import { et } from '../messages/et.js';
import { requestedWords } from './requested-words.js';

const NAMES = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'];

describe('the texts of requested properties', () => {
  it('has a text for every attribute of the interface', () => {
    const words = requestedWords({ attributes: NAMES, predicates: [] }, 'en', en);
    expect(new Set(words).size).toBe(NAMES.length);
    for (const word of words) expect(word).toMatch(/^Your /);
  });

  it('shows predicates as questions with yes or no', () => {
    expect(requestedWords({ attributes: [], predicates: ['ageOver18', 'countryIsEE'] }, 'et', et)).toEqual([
      'Kas oled vähemalt 18-aastane (jah või ei)',
      'Kas sinu riik on Eesti (jah või ei)',
    ]);
  });

  it('shows names that it has no text for', () => {
    expect(requestedWords({ attributes: ['__proto__', 'shoeSize'], predicates: ['ageOverX'] }, 'en', en)).toEqual([
      'Something this phone has no word for: “__proto__”',
      'Something this phone has no word for: “shoeSize”',
      'Something this phone has no word for: “ageOverX”',
    ]);
  });
});
