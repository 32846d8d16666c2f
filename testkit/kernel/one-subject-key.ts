import { type RingKey, SubjectKeys } from '#kernel';

/** The one key of a service that never rotates it. */
export class OneSubjectKey extends SubjectKeys {
  constructor(private readonly key: RingKey) {
    super();
  }

  override current(): RingKey {
    return this.key;
  }

  override accepted(): readonly RingKey[] {
    return [this.key];
  }

  override all(): readonly RingKey[] {
    return [this.key];
  }

  override migration(): undefined {
    return undefined;
  }
}
