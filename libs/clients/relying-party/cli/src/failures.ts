/** What the person has to correct. The program prints the message and ends. */
export class Failure extends Error {
  constructor(
    message: string,
    /** 2: the command is wrong. 1: the service has refused it. */
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}

export const usage = (message: string): Failure => new Failure(message, 2);
export const refused = (message: string): Failure => new Failure(message, 1);
