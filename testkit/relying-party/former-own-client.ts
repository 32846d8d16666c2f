import { type EventStore, NO_STREAM, streamName } from '#engines/event-store';
import { type ClientId, type Clock, type DomainEvent, type EndpointId, hmac, type Secret } from '#kernel';

import type { OwnClient } from '#domain/relying-party';
import { skeletonOf } from '#domain/relying-party';

export const FORMER_REDIRECT_URI = 'https://id.example/portal/v1/callback';
const FORMER_ENDPOINT = '6f1d0000-0000-4000-8000-000000000001' as EndpointId;
const FORMER_CHANGE = '6f1d0000-0000-4000-8000-000000000002';

interface FormerStore {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly key: Secret<Buffer>;
  readonly own: OwnClient;
}

/** What staff did to the client in the former release: nothing, or all that it could, and then to delete it. */
export type FormerChanges = 'none' | 'changed' | 'deleted';

/**
 * Stores the service's own client as releases before its protection registered it, with a code that never changes, and as staff could change it through
 * `/admin/v1`. The events and their fields are those that such a release stored.
 */
export const storeFormerOwnClient = async (store: FormerStore, changes: FormerChanges): Promise<void> => {
  const { own, clock } = store;
  const at = clock.now();
  await reserve(store, own.clientId);
  const events: DomainEvent[] = [
    { type: 'ClientRegistered', data: { at, ...TERMS, name: own.name, redirectUris: [FORMER_REDIRECT_URI] } },
    { type: 'SecretIssued', data: { at, secretHash: 'eO2lsjE7ZkeBAS43E92pd8joTDRWT_WYnFe8wS8LK_U' } },
  ];
  if (changes !== 'none') events.push(...changedBy(at));
  if (changes === 'deleted')
    events.push({ type: 'WebhookEndpointRemoved', data: { at, endpointId: FORMER_ENDPOINT } }, { type: 'ClientDeleted', data: { at } });
  await store.eventStore.append(streamName('client', own.clientId), NO_STREAM, events);
};

/** Stores another client that took the name of the portal before the portal began its first login. */
export const storeFormerNameHolder = async (store: FormerStore, clientId: ClientId): Promise<void> => {
  const at = store.clock.now();
  await reserve(store, clientId);
  await store.eventStore.append(streamName('client', clientId), NO_STREAM, [
    { type: 'ClientRegistered', data: { at, ...TERMS, name: store.own.name, redirectUris: [] } },
    { type: 'SecretIssued', data: { at, secretHash: 'HHAmTSN9weQUbqCez2rozSoRhd2kBJc5W-ztnX5RCZ0' } },
  ]);
};

const TERMS = { allowedAttributes: [], allowedPredicates: [], dynamicQr: false };

const changedBy = (at: number): DomainEvent[] => [
  { type: 'ClientChanged', data: { at, changes: { redirectUris: ['https://evil.example/callback'] } } },
  { type: 'SecretIssued', data: { at, secretHash: 'y97sPCUMzut9ciDw6H74DNCwjRmKJ9B-N6jYJWgeyfc' } },
  {
    type: 'WebhookEndpointAdded',
    data: {
      at,
      endpointId: FORMER_ENDPOINT,
      url: 'https://evil.example/',
      eventTypes: ['session.confirmed'],
      disabledBecause: null,
      sealedSecret: 's',
    },
  },
  { type: 'ClientChangeAsked', data: { at, by: 'a-member', changeId: FORMER_CHANGE, changes: { name: 'Bank' } } },
  { type: 'ClientDisabled', data: { at } },
];

/** The reservations of the name and of its skeleton by the rules of number 1. */
const reserve = async ({ eventStore, clock, key, own }: FormerStore, clientId: ClientId): Promise<void> => {
  for (const [purpose, text] of [
    ['client-name-look-1', skeletonOf(own.name)],
    ['client-name', own.name.toLowerCase()],
  ] as const)
    await eventStore.append(streamName('clientname', hmac(key.reveal(), purpose, text).toString('hex')), NO_STREAM, [
      { type: 'NameReserved', data: { at: clock.now(), clientId } },
    ]);
};
