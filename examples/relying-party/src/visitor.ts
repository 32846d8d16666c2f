import type { LoginResult, PendingLogin, PendingSigning } from '#relying-party-client';

import type { LoginChoices } from './demo-options.js';

/** A login that this browser began. Never leaves the server. */
export interface LoginUnderWay {
  /** Names the login to its own page; opens nothing. */
  readonly loginId: string;
  readonly choices: LoginChoices;
  readonly pending: PendingLogin;
  /** On our own page: where the phone app is. */
  readonly device: Device;
  /** Stands in the returnUrl of the link for THIS_DEVICE. */
  readonly returnValue: string;
  /** That link was followed to its end, in this browser. */
  readonly returned: boolean;
}

/** ANOTHER_DEVICE scans a QR code, or is called by push. THIS_DEVICE follows a link, and has to come back. */
export type Device = 'ANOTHER_DEVICE' | 'THIS_DEVICE';

/** A signing that this browser began. Never leaves the server, but for the name and the hash, which came from the browser. */
export interface SigningUnderWay {
  /** Names the signing to its own page; opens nothing. */
  readonly signingId: string;
  readonly pending: PendingSigning;
  /** Of the document. */
  readonly name: string;
}

export interface Account extends LoginResult {
  /** Epoch milliseconds. */
  readonly loggedInAt: number;
}

/** What the demo knows of a browser. */
export interface Visitor {
  readonly login?: LoginUnderWay;
  readonly signing?: SigningUnderWay;
  readonly account?: Account;
  /** Who logged in here last: can be asked by push, and stays after logging out until the user has it forgotten. */
  readonly knownSubjectId?: string;
}
