/** The component that a database belongs to: its name in messages, and the error of its port. */
export interface DatabaseOwner {
  /** As in "the event store is closed". */
  readonly name: string;
  /** The error of the owner's port for a database that cannot be opened or refuses a write; the reason is for the log. */
  unavailable(reason: string): Error;
  /** Whether this error, thrown by a piece of work, refuses that piece alone. Any other one ends the whole transaction. */
  isRefusal?(error: unknown): boolean;
}
