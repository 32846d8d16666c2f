/** The archive is broken or built to do harm: it is not looked at any further. The message says why, in plain words. */
export class UnreadableContainer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableContainer';
  }
}
