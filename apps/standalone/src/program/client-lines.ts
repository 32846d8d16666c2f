import type { OwnClient } from './own-client.js';

/** The names and values that a developer copies into the settings of the application. */
export const clientLines = ({ clientId, clientSecret, redirectUris }: OwnClient): readonly (readonly [string, string])[] => [
  ['client_id', clientId],
  ['client_secret', clientSecret],
  ...redirectUris.map((uri) => ['redirect_uri', uri] as const),
];
