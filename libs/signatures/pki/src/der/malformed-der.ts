/** Bytes that are not the DER structure that was asked for. The message never quotes them. */
export class MalformedDer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MalformedDer';
  }
}
