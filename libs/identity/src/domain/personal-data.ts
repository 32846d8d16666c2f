/** What the register knows of a person. Lies encrypted in `identitydata-<uuid>` and nowhere else. */
export type PersonalData = {
  readonly givenName: string;
  readonly familyName: string;
  readonly personalCode: string;
  /** YYYY-MM-DD. Absent when it is not known: then no age is ever confirmed. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly email?: string;
  /** E.164, with the leading +. */
  readonly phoneNumber?: string;
};
