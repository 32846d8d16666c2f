/** The file is not put into the container; nothing was changed. The message says why and what to do. */
export class AttachRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AttachRefused';
  }
}
