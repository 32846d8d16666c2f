/** A relying party of the sandbox. */
export interface SandboxClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/** How the person of a phone acts (docs/specification/sandbox.md#phones). The name is also the id of the seeded phone that acts so. */
export type Persona = 'ok' | 'decline' | 'leave' | 'wrong-pin' | 'slow' | 'minor' | 'no-birthdate';

/** A person with a phone. */
export interface SandboxPhone {
  readonly phoneId: string;
  readonly persona: Persona;
  readonly identity: {
    readonly identityId: string;
    readonly givenName: string;
    readonly familyName: string;
    readonly personalCode: string;
    /** YYYY-MM-DD. Absent for `no-birthdate`. */
    readonly dateOfBirth?: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    readonly email?: string;
    readonly phoneNumber?: string;
  };
}

/** What a phone did with a session. */
export interface Scanned {
  /** The status in the last answer to the phone: `CONFIRMED` or `COMPLETED`, or `CANCELLED`. */
  readonly status: string;
  /** The request as the phone showed it. */
  readonly scanned: Readonly<Record<string, unknown>>;
}

/** What a phone did with a login or a signature on the hosted page. */
export interface PlayedLogin extends Scanned {
  /** Where the page sends the browser: the client's callback with its query. Absent when it ended without, as for `decline`. */
  readonly redirect?: string;
}
