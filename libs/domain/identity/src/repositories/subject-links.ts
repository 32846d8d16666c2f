import type { ClientId, IdentityId, SubjectId } from '#kernel';
import { lastEventOf, readLast, release, reserve, type Streams, type UnitOfWork } from '#engines/event-store';

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

  /** The subjectId that the client has learned, as this process remembers the link: {@link UnitOfWork.remembered}. The commit of the work proves it. */
  async rememberedIn(streams: Streams, clientId: ClientId, identityId: IdentityId): Promise<SubjectId | undefined> {
    const subjectId = this.subjectIds.of(clientId, identityId);
    const stream = subjectStream(subjectId);
    if (this.unitOfWork.remembered(SUBJECT, stream)?.state?.type !== 'SubjectLinked') return undefined;
    return (await streams.look(SUBJECT, stream)).state?.type === 'SubjectLinked' ? subjectId : undefined;
  }

  /** {@link UnitOfWork.prepare}. */
  prepare(clientId: ClientId, identityId: IdentityId): Promise<void> {
    return this.unitOfWork.prepare(SUBJECT, subjectStream(this.subjectIds.of(clientId, identityId)));
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
