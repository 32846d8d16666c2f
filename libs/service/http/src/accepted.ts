/** Thrown by a request that does not take effect yet: it is answered 202 with this body in place of its own answer. */
export class Accepted extends Error {
  constructor(readonly body: object) {
    super('the request waits for an approval');
  }
}
