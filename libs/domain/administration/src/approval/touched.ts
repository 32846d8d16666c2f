import { type EventStore, readLast, type StreamName } from '#engines/event-store';
import { IDENTITIES } from '#domain/identity';
import { clientStream } from '#domain/relying-party';
import { type ClientId, type IdentityId, sha256Base64url } from '#kernel';

import type { AdminTokenRecords } from '../repositories/admin-token-records.js';
import type { PortalMembers } from '../repositories/portal-members.js';
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
    private readonly store: EventStore,
    private readonly members: Pick<PortalMembers, 'team'>,
    private readonly tokens: Pick<AdminTokenRecords, 'all'>,
  ) {}

  async versions({ client, identity, team, tokens }: Touched): Promise<TouchedVersions> {
    return {
      ...(client && { client: await this.#revision(clientStream(client)) }),
      ...(identity && { identity: await this.#revision(IDENTITIES.of(identity)) }),
      // The teams share one stream: the others' changes must not void this approval.
      ...(team && { team: sha256Base64url(JSON.stringify(await this.members.team(team === 'staff' ? undefined : team))) }),
      ...(tokens && { tokens: String((await this.tokens.all()).length) }),
    };
  }

  async #revision(stream: StreamName): Promise<string> {
    return String((await readLast(this.store, stream)).revision);
  }
}
