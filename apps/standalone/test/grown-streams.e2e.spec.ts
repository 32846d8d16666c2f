import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { ForwardingEventStore, type NewEvent, NO_STREAM, type ReadOptions, type RecordedEvent, type StreamName } from '#engines/event-store';
import type { ClientId, DomainEvent, IdentityId, SubjectId } from '#kernel';
import { type StoreEngine, USUAL_STORES } from '#testkit/event-store/store-engines';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';
import { picture } from '#testkit/relying-party/pictures';

/** Uploads of a logo, of which each takes a while to decode. */
const UPLOADS = 8;
/** More than a read from the start ever answers. */
const CHANGES = 150;

/** Counts the events that each read answers. */
class CountedReads extends ForwardingEventStore {
  readonly reads: { readonly stream: StreamName; readonly events: number }[] = [];

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const events = await (options ? this.store.read<Event>(stream, options) : this.store.read<Event>(stream));
    this.reads.push({ stream, events: events.length });
    return events;
  }
}

describe.each(USUAL_STORES)('a member who invites and switches without end, over $engine', ({ open }) => {
  let platform: TestPlatform;
  let counted: CountedReads;
  let clientId: ClientId;

  beforeEach(async () => {
    const openCounted: StoreEngine['open'] = async (clock) => (counted = new CountedReads(await open(clock)));
    platform = await testPlatform({ LOGO_APPROVAL: 'true' }, {}, openCounted);
    const terms = { name: 'Shop', redirectUris: ['https://rp.example/cb'], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
    ({ clientId } = await platform.useCases.relyingParties().registerClient.execute(terms));
  });
  afterEach(async () => {
    platform.stop();
    await platform.close();
  });

  /** As many requests would have stored them. */
  const store = async (stream: StreamName, events: readonly NewEvent[]): Promise<void> => {
    const [last] = await platform.eventStore.read(stream, { direction: 'backwards', limit: 1 });
    await platform.eventStore.append(stream, last?.revision ?? NO_STREAM, events);
  };

  /** The most events that one of the reads has answered, of the streams of this category. */
  const mostOf = async (category: string, work: () => Promise<unknown>): Promise<number> => {
    counted.reads.length = 0;
    await work();
    return Math.max(0, ...counted.reads.filter(({ stream }) => stream.startsWith(`${category}-`)).map(({ events }) => events));
  };

  it('makes no request about members dearer', async () => {
    const { portalMembers } = platform.useCases.administration();
    const scope = { clientId, role: 'viewer' } as const;
    const at = platform.clock.now();
    const invitations = Array.from({ length: CHANGES }, () => {
      const invitationId = platform.randomness.uuid();
      const by = { at, by: 'a-member' };
      return [
        { type: 'MemberInvited', data: { ...by, invitationId, label: 'guest', scope, hash: invitationId, expiresAt: at + 1_000 } },
        { type: 'InvitationWithdrawn', data: { ...by, invitationId } },
      ];
    });
    await store('portalmembers-all' as StreamName, invitations.flat());
    await portalMembers.team(clientId);
    const asked = async (): Promise<void> => {
      await portalMembers.isMember(platform.randomness.uuid<IdentityId>());
      await portalMembers.team(platform.randomness.uuid<ClientId>());
      await portalMembers.memberOf(platform.randomness.uuid<SubjectId>(), clientId).catch(() => undefined);
    };
    expect(await mostOf('portalmembers', asked)).toBe(1);
    const invited = async (): Promise<unknown> => portalMembers.invite('guest', scope, { id: 'another-member' });
    await invited();
    expect(await mostOf('portalmembers', invited)).toBeLessThanOrEqual(2);
  });

  it('makes no request about the client dearer', async () => {
    const { changeClient, findClient, findSecretAge } = platform.useCases.relyingParties();
    const { listWebhookEndpoints } = platform.useCases.webhooks();
    const toggle = async (change: number): Promise<unknown> => changeClient.execute(clientId, { dynamicQr: change % 2 === 0 });
    const switched = (change: number) => ({ type: 'ClientChanged', data: { at: platform.clock.now(), changes: { dynamicQr: change % 2 === 0 } } });
    await store(
      `client-${clientId}` as StreamName,
      Array.from({ length: CHANGES }, (_, change) => switched(change)),
    );
    const asked = async (): Promise<void> => {
      expect((await findClient.execute(clientId))?.name).toBe('Shop');
      await findSecretAge.execute(clientId);
      await listWebhookEndpoints.execute(clientId);
    };
    await asked();
    platform.clock.advance(1_001);
    expect(await mostOf('client', asked)).toBeLessThanOrEqual(1);
    await toggle(0);
    expect(await mostOf('client', () => toggle(1))).toBeLessThanOrEqual(2);
    expect((await findClient.execute(clientId))?.dynamicQr).toBe(false);
  });

  it('makes no request about the logo dearer, of those that wait for approval either', async () => {
    const { findLogo } = platform.useCases.relyingParties();
    const { changeLogo } = platform.useCases.logos();
    const first = await changeLogo.upload(clientId, picture(32, 32).toString('base64'));
    await changeLogo.approve(clientId, first.waiting?.hash ?? '');
    for (let side = 33; side < 33 + UPLOADS; side += 1) await changeLogo.upload(clientId, picture(side, 32).toString('base64'));
    const asked = async (): Promise<void> => {
      expect(await findLogo.shown(clientId)).toMatchObject({ width: 32 });
      expect(await findLogo.execute(clientId)).toMatchObject({ shown: { width: 32 }, waiting: { width: 32 + UPLOADS } });
    };
    expect(await mostOf('clientlogo', asked)).toBe(1);
    // That of the upload, which is truncated only after the next event is stored.
    expect(await mostOf('clientlogo', () => changeLogo.upload(clientId, picture(90, 32).toString('base64')))).toBeLessThanOrEqual(2);
  });
});
