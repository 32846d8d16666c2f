import type { ClientId, SubjectId } from '#kernel';

/** Keeps a client from tiring a person with pushes (api-extensions 1.15). */
export abstract class PushLimit {
  /** Counts one push. Throws RateLimited when the client has sent the subject too many lately. */
  abstract take(clientId: ClientId, subjectId: SubjectId): Promise<void>;
}
