/** How the process ends, for scripts to branch on. */
export const EXIT = { OK: 0, REFUSED: 1, USAGE: 2, UNAVAILABLE: 3, UNAUTHORIZED: 4 } as const;

/** Ends the command with a line for the person at the terminal. */
export abstract class Failure extends Error {
  abstract readonly exitCode: number;
}

/** The command line is not complete or not right. */
export class UsageFailure extends Failure {
  readonly exitCode = EXIT.USAGE;
}

/** The service said no. The message names the field. */
export class Refusal extends Failure {
  readonly exitCode = EXIT.REFUSED;
}

/** No answer, or none that helps. */
export class Unavailable extends Failure {
  readonly exitCode = EXIT.UNAVAILABLE;
}

/** There is no admin token, or not the right one. */
export class NotLetIn extends Failure {
  readonly exitCode = EXIT.UNAUTHORIZED;
}
