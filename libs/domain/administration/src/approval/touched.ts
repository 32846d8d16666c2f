import type { StreamLooks, UnitOfWork } from '#engines/event-store';
import type { FindLivingPerson } from '#domain/identity';
import { CLIENTS, clientStream } from '#domain/relying-party';
import { type ClientId, type Clock, type IdentityId, sha256Base64url } from '#kernel';

import { teamOf } from '../domain/portal-membership.js';
import { MEMBERS, MEMBERS_STREAM, TOKENS, TOKENS_STREAM } from '../repositories/stream-types.js';
import type { TouchedVersions } from './change-terms.js';

/** What a change touches. `team`: of a client, or `staff`. */
export interface Touched {
  readonly client?: ClientId;
  readonly identity?: IdentityId;
  readonly team?: ClientId | 'staff';
  readonly tokens?: true;
}

/** Reads how far the objects of a change have come, so that an approval is for what the person has seen. */
export class TouchedObjects {
  constructor(
    private readonly unitOfWork: Pick<UnitOfWork, 'looks'>,
    private readonly living: Pick<FindLivingPerson, 'revisionIn'>,
    private readonly clock: Clock,
  ) {}

  /** Without `looks` as they are read, which nothing proves. Of a work: its commit then proves that they have not moved. */
  async versions({ client, identity, team, tokens }: Touched, looks: StreamLooks = this.unitOfWork.looks): Promise<TouchedVersions> {
    return {
      ...(client && { client: String((await looks.look(CLIENTS, clientStream(client))).revision) }),
      ...(identity && { identity: String(await this.living.revisionIn(looks, identity)) }),
      ...(team && { team: await this.#team(looks, team === 'staff' ? undefined : team) }),
      ...(tokens && { tokens: String((await looks.look(TOKENS, TOKENS_STREAM)).revision) }),
    };
  }

  /** The teams share one stream: the others' changes must not void this approval. */
  async #team(looks: StreamLooks, clientId: ClientId | undefined): Promise<string> {
    const { state } = await looks.look(MEMBERS, MEMBERS_STREAM);
    return sha256Base64url(JSON.stringify(teamOf(state, clientId, this.clock.now())));
  }
}
