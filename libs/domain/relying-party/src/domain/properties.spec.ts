import { allows, ATTRIBUTE_NAMES, isAllowablePredicate, isAttributeName, parsePredicate } from './properties.js';

describe('the vocabulary of properties', () => {
  it('parses predicates', () => {
    expect(parsePredicate('ageOver18')).toEqual({ type: 'ageOver', years: 18 });
    expect(parsePredicate('ageOver1')).toEqual({ type: 'ageOver', years: 1 });
    expect(parsePredicate('ageOver120')).toEqual({ type: 'ageOver', years: 120 });
    expect(parsePredicate('countryIsEE')).toEqual({ type: 'countryIs', country: 'EE' });
  });

  it.each([
    'ageOver',
    'ageOver0',
    'ageOver018',
    'ageOver121',
    'ageOver999',
    'ageOver*',
    'ageOver18 ',
    'xageOver18',
    'AgeOver18',
    'ageOver1e1',
    'countryIs',
    'countryIsee',
    'countryIsXX',
    'countryIsEST',
    'constructor',
  ])('has no predicate %s', (name) => {
    expect(parsePredicate(name)).toBeUndefined();
  });

  it('has one allow-list entry for every age', () => {
    expect(isAllowablePredicate('ageOver*')).toBe(true);
    expect(isAllowablePredicate('countryIs*')).toBe(false);
    expect(isAllowablePredicate('countryIsEE')).toBe(true);
  });

  it('has eight attributes', () => {
    const names = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'];
    expect(ATTRIBUTE_NAMES).toEqual(names);
    expect(names.filter((name) => !isAttributeName(name))).toEqual([]);
  });

  it('has no other attribute', () => {
    expect(isAttributeName('date_of_birth')).toBe(false);
    expect(isAttributeName('toString')).toBe(false);
    expect(isAttributeName('')).toBe(false);
  });
});

describe('an allow-list', () => {
  const client = { allowedAttributes: ['name'], allowedPredicates: ['ageOver*', 'countryIsEE'] };

  it('allows its entries, and every age by ageOver*', () => {
    expect(allows(client, { attributes: ['name'], predicates: ['ageOver21', 'countryIsEE'] })).toBe(true);
  });

  it('allows nothing else', () => {
    expect(allows(client, { attributes: ['email'], predicates: [] })).toBe(false);
    expect(allows(client, { attributes: ['name', 'email'], predicates: ['ageOver18'] })).toBe(false);
    expect(allows(client, { attributes: ['name'], predicates: ['ageOver18', 'countryIsLV'] })).toBe(false);
    expect(allows(client, { attributes: [], predicates: ['countryIsLV'] })).toBe(false);
    expect(allows(client, { attributes: [], predicates: ['olderThan18'] })).toBe(false);
    expect(allows({ allowedAttributes: [], allowedPredicates: ['ageOver18'] }, { attributes: [], predicates: ['ageOver21'] })).toBe(false);
  });
});
