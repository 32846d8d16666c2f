import { DomainError } from '#kernel';

/** The data is not in the hands of this process alone. */
export class ResetNotPossible extends DomainError {
  readonly code = 'reset_not_possible';

  /** `setting`: by which something else holds a part of the data. */
  constructor(setting: string) {
    super(
      `${setting} is set`,
      `This sandbox cannot be reset: ${setting} is set, and a reset empties the files of one process alone. Leave ${setting} out.`,
    );
  }
}
