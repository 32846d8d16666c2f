import type { LoginResult, PendingLogin, PendingSigning } from '#clients/relying-party';

import type { LoginChoices } from './demo-options.js';

/** A login that this browser began. It never leaves the server. */
export interface LoginInProgress {
  /** Identifies the login to its own page. It authorizes nothing. */
  readonly loginId: string;
  readonly choices: LoginChoices;
  readonly pending: PendingLogin;
  /** On our own page: the device that has the phone app. */
  readonly device: Device;
  /** Part of the returnUrl of the link for THIS_DEVICE. */
  readonly returnValue: string;
  /** Whether the app returned to this browser by that link. */
  readonly returned: boolean;
}

/** ANOTHER_DEVICE scans a QR code or is called by push. THIS_DEVICE follows a link and must come back to this browser. */
export type Device = 'ANOTHER_DEVICE' | 'THIS_DEVICE';

/** A signing that this browser began. It never leaves the server, except for name and hash, which came from the browser. */
export interface SigningInProgress {
  /** Identifies the signing to its own page. It authorizes nothing. */
  readonly signingId: string;
  readonly pending: PendingSigning;
  /** The document's name. */
  readonly name: string;
}

export interface Account extends LoginResult {
  /** Epoch milliseconds. */
  readonly loggedInAt: number;
}

/** The demo's data about a browser. */
export interface Visitor {
  readonly login?: LoginInProgress;
  readonly signing?: SigningInProgress;
  readonly account?: Account;
  /** The subject that logged in last. It can be called by push, and stays after a logout until the user removes it. */
  readonly knownSubjectId?: string;
}
