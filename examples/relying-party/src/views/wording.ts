const WORDS: Readonly<Record<string, string>> = {
  name: 'Name',
  givenName: 'Given name',
  familyName: 'Family name',
  personalCode: 'Personal code',
  dateOfBirth: 'Date of birth',
  country: 'Country',
  email: 'E-mail address',
  phoneNumber: 'Phone number',
};

/** The name of an attribute or a predicate on a page. */
export const describe = (name: string): string => {
  const [, years, country] = /^(?:ageOver(\d+)|countryIs([A-Z]{2}))$/.exec(name) ?? [];
  if (years !== undefined) return `${years} or older`;
  if (country !== undefined) return `From ${country}`;
  return WORDS[name] ?? name;
};
