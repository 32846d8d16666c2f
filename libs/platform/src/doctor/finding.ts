/** One line of the doctor. */
export interface Finding {
  /** What was looked at: `settings`, `keys`, or the name of a setting. */
  readonly subject: string;
  /** What is wrong and what to do. Undefined: nothing is wrong. Never holds a secret. */
  readonly problem?: string;
}

export const findingsOf = (subject: string, problems: readonly string[]): readonly Finding[] =>
  problems.length === 0 ? [{ subject }] : problems.map((problem) => ({ subject, problem }));
