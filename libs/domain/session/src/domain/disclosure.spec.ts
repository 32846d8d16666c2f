import { describe, expect, it } from '@jest/globals';

import { ageOn, disclose } from './disclosure.js';

const mari = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '48002290001', dateOfBirth: '1980-02-29', country: 'EE' };

describe('the disclosed properties', () => {
  it('are the requested attributes that have a value', () => {
    const requested = { attributes: ['name', 'givenName', 'dateOfBirth', 'email'], predicates: [] };
    expect(disclose(requested, mari, '2026-01-01').attributes).toEqual({ name: 'Mari Maasikas', givenName: 'Mari', dateOfBirth: '1980-02-29' });
  });

  it('include one answer for each predicate', () => {
    const requested = { attributes: [], predicates: ['ageOver18', 'ageOver99', 'countryIsEE', 'countryIsFI'] };
    expect(disclose(requested, mari, '2026-01-01').predicates).toEqual({ ageOver18: true, ageOver99: false, countryIsEE: true, countryIsFI: false });
  });

  it.each([
    [{ givenName: 'Mari', familyName: '' }, 'Mari'],
    [{ givenName: '', familyName: 'Maasikas' }, 'Maasikas'],
  ])('give a person of one name that name, without a space: %j', (names, name) => {
    expect(disclose({ attributes: ['name'], predicates: [] }, { ...mari, ...names }, '2026-01-01').attributes).toEqual({ name });
  });

  it('answer true to an age from the birthday on', () => {
    const requested = { attributes: [], predicates: ['ageOver46'] };
    expect(disclose(requested, { ...mari, dateOfBirth: '1980-02-28' }, '2026-02-28').predicates).toEqual({ ageOver46: true });
    expect(disclose(requested, { ...mari, dateOfBirth: '1980-02-28' }, '2026-02-27').predicates).toEqual({ ageOver46: false });
  });

  it.each([
    ['1980', '1997-12-31', '1998-12-30', '1998-12-31'],
    ['1980-02', '1997-12-31', '1998-02-28', '1998-03-01'],
    ['1980-04', '1997-12-31', '1998-04-29', '1998-04-30'],
    ['1980-12', '1997-12-31', '1998-12-30', '1998-12-31'],
  ])('answer an age by the latest birthday that %s allows, and never give the known part', (dateOfBirth, before, last, from) => {
    const requested = { attributes: ['dateOfBirth'], predicates: ['ageOver18'] };
    const answers = [before, last, from].map((today) => disclose(requested, { ...mari, dateOfBirth }, today));
    expect(answers).toEqual([false, false, true].map((ageOver18) => ({ attributes: {}, predicates: { ageOver18 } })));
  });

  it('answer false to a predicate that this release does not know', () => {
    expect(disclose({ attributes: [], predicates: ['isRich'] }, mari, '2026-01-01').predicates).toEqual({ isRich: false });
  });

  it('answer false to a predicate when the data is missing', () => {
    const { dateOfBirth: _, ...unknown } = mari;
    expect(disclose({ attributes: ['dateOfBirth'], predicates: ['ageOver1'] }, unknown, '2026-01-01')).toEqual({
      attributes: {},
      predicates: { ageOver1: false },
    });
  });
});

describe('age', () => {
  it.each([
    ['the day before the birthday', '2008-06-15', '2026-06-14', 17],
    ['on the birthday', '2008-06-15', '2026-06-15', 18],
    ['born on 29 February, on 28 February', '2008-02-29', '2026-02-28', 17],
    ['born on 29 February, on 1 March', '2008-02-29', '2026-03-01', 18],
    ['born on 29 February, on 29 February', '2008-02-29', '2028-02-29', 20],
  ])('%s', (_, born, today, age) => expect(ageOn(today, born)).toBe(age));
});
