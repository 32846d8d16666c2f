/** The links of a way back. Each works once. */
export interface PrintedWayBack {
  /** Makes the named person a member of the staff. Valid for 72 hours. */
  readonly invitationLink: string;
  /** Makes a phone the person's. Valid for 15 minutes. */
  readonly activationLink: string;
}
