import type { ClientId, IdentityId, SubjectId } from '#kernel';
import { lastEventOf, readLast, release, reserve, type UnitOfWork } from '#engines/event-store';

import type { SubjectIds } from '../domain/subject-ids.js';
import { type SubjectEvent, type SubjectLink, SUBJECTS, subjectStream } from '../streams.js';

const SUBJECT = lastEventOf<SubjectEvent>(SUBJECTS);

const onSubject = (subjectId: SubjectId) => ({ type: SUBJECT, stream: subjectStream(subjectId) });

/** The streams `subject-*`: the person that a subjectId stands for. */
export class SubjectLinks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly subjectIds: SubjectIds,
  ) {}

  /** Undefined when no client has learned the subjectId, or when its person was erased. */
  async find(subjectId: SubjectId): Promise<SubjectLink | undefined> {
    const { last } = await readLast<SubjectEvent>(this.unitOfWork.store, subjectStream(subjectId));
    return last?.type === 'SubjectLinked' ? last.data : undefined;
  }

  /** The subjectId of the person, by default the present one, and whether the client has learned it. */
  async findOf(
    clientId: ClientId,
    identityId: IdentityId,
    subjectId: SubjectId = this.subjectIds.of(clientId, identityId),
  ): Promise<{ readonly subjectId: SubjectId; readonly isLinked: boolean }> {
    return { subjectId, isLinked: (await this.find(subjectId)) !== undefined };
  }

  /** Stores the link, by default of the present subjectId, and answers the subjectId. May be repeated: client and person determine the subjectId. */
  async link(clientId: ClientId, identityId: IdentityId, subjectId: SubjectId = this.subjectIds.of(clientId, identityId)): Promise<SubjectId> {
    const link: SubjectEvent = { type: 'SubjectLinked', data: { at: this.unitOfWork.clock.now(), clientId, identityId } };
    await reserve(this.unitOfWork, onSubject(subjectId), link, ({ type }) => type === 'SubjectReleased');
    return subjectId;
  }

  /** Erases the link. May be repeated. */
  async release(subjectId: SubjectId): Promise<void> {
    await release(this.unitOfWork, onSubject(subjectId), { type: 'SubjectReleased', data: {} }, ({ type }) => type === 'SubjectLinked');
  }
}
