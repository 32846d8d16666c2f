/** What the register knows of a person. Lies encrypted in `identitydata-<uuid>` and nowhere else. */
export type PersonalData = {
  givenName: string;
  familyName: string;
  personalCode: string;
  /** YYYY-MM-DD. */
  dateOfBirth: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  email?: string;
  phoneNumber?: string;
};
