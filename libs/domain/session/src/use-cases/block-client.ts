import { type ClientId, type Clock, InvalidRequest, parseId } from '#kernel';
import {
  type BlockedClient,
  type Device,
  DeviceLocked,
  type EnrolmentProof,
  type PersonLimits,
  type PersonLimitsRecords,
  withBlocked,
  withoutBlocked,
} from '#domain/identity';
import { ClientNotFound, type FindClient, type OwnClient } from '#domain/relying-party';

import type { ClientReports } from '../client-reports.js';

export interface BlockClientParts {
  readonly personLimits: Pick<PersonLimitsRecords, 'of' | 'change'>;
  readonly enrolmentProof: Pick<EnrolmentProof, 'present'>;
  readonly findClient: Pick<FindClient, 'execute' | 'nameOf'>;
  readonly own: Pick<OwnClient, 'clientId'>;
  readonly clientReports: ClientReports;
  readonly clock: Clock;
}

export interface NamedBlockedClient extends BlockedClient {
  /** Also of a client that is deleted. */
  readonly relyingPartyName: string;
}

/**
 * A person decides on the phone whose requests come by code only (specification/app.md#blocked-clients). Each method throws DeviceLocked: a lost phone decides and tells nothing. Those that
 * change something throw DeviceNotFound for a phone that was revoked since its request was proven.
 */
export class BlockClient {
  constructor(private readonly parts: BlockClientParts) {}

  /** May be repeated. Throws ClientNotFound, and InvalidRequest for the service's own client and beyond a thousand clients. */
  async execute(clientId: string, device: Device): Promise<void> {
    await this.#block(clientId, device, {});
  }

  /** Blocks it, and tells the operator, once. Throws as {@link execute}. */
  async report(clientId: string, device: Device): Promise<void> {
    const { id, isChanged } = await this.#block(clientId, device, { reported: true });
    if (isChanged) this.parts.clientReports.reported(id);
  }

  /** May be repeated, also for a client that is deleted. Throws ClientNotFound for what is no id. */
  async undo(clientId: string, device: Device): Promise<void> {
    assertNotLocked(device);
    const id = parseId<ClientId>(clientId);
    if (!id) throw new ClientNotFound('no such client');
    await this.#change(device, (limits) => withoutBlocked(limits, id));
  }

  /** The one that was blocked last comes first. */
  async list(device: Device): Promise<readonly NamedBlockedClient[]> {
    assertNotLocked(device);
    const { personLimits, findClient } = this.parts;
    const { blocked } = await personLimits.of(device.identityId);
    return Promise.all(blocked.toReversed().map(async (each) => ({ ...each, relyingPartyName: (await findClient.nameOf(each.clientId)) ?? '' })));
  }

  async #block(
    clientId: string,
    device: Device,
    report: Pick<BlockedClient, 'reported'>,
  ): Promise<{ readonly id: ClientId; readonly isChanged: boolean }> {
    assertNotLocked(device);
    const { findClient, own, clock } = this.parts;
    const id = parseId<ClientId>(clientId);
    if (!id || !(await findClient.execute(id))) throw new ClientNotFound('no such client');
    if (id === own.clientId) throw new InvalidRequest('The service itself cannot be blocked: it asks for approvals that protect its members.');
    const isChanged = await this.#change(device, (limits) => withBlocked(limits, { clientId: id, at: clock.now(), ...report }));
    return { id, isChanged };
  }

  /** Together with the phone: the commit proves that it still may decide. */
  #change(device: Device, change: (limits: PersonLimits) => PersonLimits): Promise<boolean> {
    const { personLimits, enrolmentProof } = this.parts;
    return personLimits.change(device.identityId, async (limits, streams) => {
      assertNotLocked(await enrolmentProof.present(streams, device));
      return change(limits);
    });
  }
}

const assertNotLocked = ({ status, lockedUntil }: Device): void => {
  if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
};
