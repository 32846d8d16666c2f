import type { ChangeWords } from '#domain/administration';
import { type Client, type ClientTerms, hasProtection, keyDigest, PROTECTIONS } from '#domain/relying-party';

import { asField } from './admin-rights.js';

/** A redirect URI without its scheme, as people read addresses. */
const short = (uri: string): string => uri.replace(/^https:\/\//, '');

/**
 * The words of a change of a client that a person has to approve: where logins return to, and protections that it switches off. Undefined for any other change. `unprotected`:
 * the fields by which the body takes a protection away.
 */
export const criticalWords = (client: Client, changes: Partial<ClientTerms>, unprotected: readonly string[]): ChangeWords | undefined => {
  const { name, clientId, redirectUris: before } = client;
  const after = changes.redirectUris ?? before;
  const added = after.filter((uri) => !before.includes(uri));
  const removed = before.filter((uri) => !after.includes(uri));
  const keys = changedKeys(client, changes);
  const addresses = changedAddresses(client, changes);
  const off = unprotected.filter((field) => isChanged(client, field));
  if (added.length + removed.length + off.length + keys.length + addresses.length === 0) return undefined;
  const [first] = added;
  const titles = [
    ...(first === undefined
      ? []
      : [added.length === 1 ? `new redirect URI ${short(first)}` : `${added.length} new redirect URIs, ${short(first)} …`]),
    ...(first === undefined && removed.length > 0 ? [`redirect URI ${short(removed[0] ?? '')} ends`] : []),
    ...(keys.length === 0 ? [] : ['other keys']),
    ...addresses.map(({ what, url }) => (url === '' ? `no ${what}` : `${what} ${short(url)}`)),
    ...off.map((field) => (field === 'finish_by_number' ? 'finish_by_number on' : `${field} off`)),
  ];
  return {
    title: `${name}: ${titles.join(', ')}`,
    lines: [
      `Relying party: ${name} (${clientId})`,
      ...added.map((uri) => `New redirect URI: ${uri}`),
      ...removed.map((uri) => `Redirect URI that ends: ${uri}`),
      ...keys,
      ...addresses.map(({ what, url }) => (url === '' ? `The ${what} ends.` : `New ${what}: ${url}`)),
      ...off.map((field) =>
        field === 'finish_by_number' ? 'Logins opened by a link may be finished by a number.' : `Protection that ends: ${field}`,
      ),
    ],
  };
};

/** Who holds the private half of a key is the client, so each key is told by its digest (RFC 7638), and an address in full. */
const changedKeys = (client: Client, { jwks, jwksUri = client.jwksUri }: Partial<ClientTerms>): readonly string[] => {
  const before = toldKeys(client.jwks);
  const after = jwks ? toldKeys(jwks) : before;
  const [left, taken] = [client.jwksUri ?? '', jwksUri ?? ''];
  return [
    ...after.filter((key) => !before.includes(key)).map((key) => `New key of the relying party: ${key}`),
    ...before.filter((key) => !after.includes(key)).map((key) => `Key that ends: ${key}`),
    ...(taken !== left && taken !== '' ? [`The relying party proves itself by the keys at: ${taken}`] : []),
    ...(taken !== left && left !== '' ? [`Address of keys that ends: ${left}`] : []),
  ];
};

const toldKeys = (jwks: ClientTerms['jwks']): readonly string[] => (jwks?.keys ?? []).map((key) => `${key.kid} (${keyDigest(key)})`);

/** What the service posts goes there, and to no other address. */
const changedAddresses = (client: Client, changes: Partial<ClientTerms>): readonly { readonly what: string; readonly url: string }[] =>
  ADDRESSES.flatMap(({ term, what }) => {
    const url = changes[term];
    return url === undefined || url === (client[term] ?? '') ? [] : [{ what, url }];
  });

const ADDRESSES = [
  { term: 'backchannelClientNotificationEndpoint', what: 'address of notifications' },
  { term: 'backchannelLogoutUri', what: 'address of log-outs' },
] as const;

const isChanged = (client: Client, field: string): boolean =>
  field === 'finish_by_number' ? client.finishByNumber !== true : PROTECTIONS.some((term) => asField(term) === field && hasProtection(client, term));
