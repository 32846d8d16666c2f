/** What was copied from one list of erasures to another one. */
export interface CopiedErasures {
  readonly added: number;
  /** Persons on the list that was added to. */
  readonly entries: number;
}
