/**
 * The archive is broken or built to do harm, or of a form that is not known here (`unjudged`): it is not looked at any further. The message says why, in
 * plain words.
 */
export class UnreadableContainer extends Error {
  readonly unjudged: boolean;

  constructor(message: string, { unjudged = false, ...options }: ErrorOptions & { readonly unjudged?: boolean } = {}) {
    super(message, options);
    this.name = 'UnreadableContainer';
    this.unjudged = unjudged;
  }
}
