/** The personal data of one person. It is stored encrypted in `identitydata-<uuid>` and nowhere else. */
export type PersonalData = {
  /** Empty where the person has one name, which is the family name. */
  readonly givenName: string;
  /** Empty where the person has one name, which is the given name. */
  readonly familyName: string;
  readonly personalCode: string;
  /** YYYY-MM-DD, or the known part of it, YYYY-MM or YYYY. Absent when unknown; the service then confirms no age. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2, or XK. */
  readonly country: string;
  readonly email?: string;
  /** E.164, with the leading +. */
  readonly phoneNumber?: string;
};

/** The person's one name, or both with a space between. */
export const fullNameOf = ({ givenName, familyName }: Pick<PersonalData, 'givenName' | 'familyName'>): string => `${givenName} ${familyName}`.trim();

/** The date of birth, YYYY-MM-DD. Undefined when it is unknown, or known in part only. */
export const completeDateOfBirth = ({ dateOfBirth }: Pick<PersonalData, 'dateOfBirth'>): string | undefined =>
  dateOfBirth?.length === 'YYYY-MM-DD'.length ? dateOfBirth : undefined;

/** The last day on which the person may have been born, YYYY-MM-DD: no age is confirmed too early. Undefined when nothing is known. */
export const latestDateOfBirth = ({ dateOfBirth }: Pick<PersonalData, 'dateOfBirth'>): string | undefined => {
  if (dateOfBirth === undefined) return undefined;
  const [year, month, day] = dateOfBirth.split('-');
  if (day !== undefined) return dateOfBirth;
  if (month === undefined) return `${year}-12-31`;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return `${dateOfBirth}-${lastDay}`;
};
