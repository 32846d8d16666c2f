/** One line of the doctor. */
export interface DoctorFinding {
  /** The thing that was examined: `settings`, `keys`, or the name of a setting. */
  readonly subject: string;
  /** The fault and its remedy. Undefined: nothing is wrong. Never holds a secret. */
  readonly problem?: string;
  /** What was found there, for an operator: the name and the version of a server. Never holds a secret. */
  readonly note?: string;
}

export const findingsOf = (subject: string, problems: readonly string[]): readonly DoctorFinding[] =>
  problems.length === 0 ? [{ subject }] : problems.map((problem) => ({ subject, problem }));
