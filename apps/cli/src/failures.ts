/** Exit codes, for scripts. */
export const EXIT = { OK: 0, REFUSED: 1, USAGE: 2, UNAVAILABLE: 3, UNAUTHORIZED: 4, INCOMPLETE: 5, NOT_JUDGED: 6 } as const;

/** Ends the command with a line for the person at the terminal. */
export abstract class Failure extends Error {
  abstract readonly exitCode: number;
}

/** The command line is not complete or not right. */
export class UsageFailure extends Failure {
  readonly exitCode = EXIT.USAGE;
}

/** The service refused the request, and the message names the field; or the container is invalid. */
export class Refusal extends Failure {
  readonly exitCode = EXIT.REFUSED;
}

/** The service did not answer, or answered with an error of its own. */
export class Unavailable extends Failure {
  readonly exitCode = EXIT.UNAVAILABLE;
}

/** There is no admin token, or not the right one. */
export class NotAuthorized extends Failure {
  readonly exitCode = EXIT.UNAUTHORIZED;
}

/** The signature is good, and the signed file still has to be put into the container. */
export class Incomplete extends Failure {
  readonly exitCode = EXIT.INCOMPLETE;
}

/** The container has a form that cannot be judged here; nothing in it is proved wrong. */
export class NotJudged extends Failure {
  readonly exitCode = EXIT.NOT_JUDGED;
}
