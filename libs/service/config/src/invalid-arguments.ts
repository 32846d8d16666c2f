/** Wrong arguments of a program prevent its start. The message is a whole sentence for the person at the terminal: which argument, and what to write instead. */
export class InvalidArguments extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidArguments';
  }
}
