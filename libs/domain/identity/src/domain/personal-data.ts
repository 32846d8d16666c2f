/** The personal data of one person. It is stored encrypted in `identitydata-<uuid>` and nowhere else. */
export type PersonalData = {
  readonly givenName: string;
  readonly familyName: string;
  readonly personalCode: string;
  /** YYYY-MM-DD. Absent when unknown; the service then confirms no age. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly email?: string;
  /** E.164, with the leading +. */
  readonly phoneNumber?: string;
};
