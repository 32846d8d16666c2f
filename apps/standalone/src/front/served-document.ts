import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PlatformSettings } from '#service/config';
import { packageRoot } from '#web-page';

import { DEMO_REDIRECT_URI, demoRedirectUri } from '../demo-redirect-uri.js';

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string }[];
}

/** The documents for generators of code, by audience; `docs:generate` cuts them out of the whole. */
export const AUDIENCES = ['relying-party', 'device', 'admin'] as const;

/** The text of the OpenAPI document, `docs/openapi.json`, without the operations that this service does not serve. */
export const servedDocument = (settings: PlatformSettings): string => {
  const document = read('openapi.json');
  const paths = Object.entries(document.paths).filter(([path]) => settings.sandbox || !path.startsWith('/sandbox/'));
  const tags = document.tags.filter(({ name }) => settings.sandbox || name !== 'Sandbox');
  return textOf({ ...document, paths: Object.fromEntries(paths), tags }, settings);
};

/** The text of `docs/openapi.<audience>.json`. */
export const servedAudienceDocument = (audience: (typeof AUDIENCES)[number], settings: PlatformSettings): string =>
  textOf(read(`openapi.${audience}.json`), settings);

const read = (name: string): Document => JSON.parse(readFileSync(join(packageRoot(), 'docs', name), 'utf8')) as Document;

/** With the addresses of this service. */
const textOf = (document: Document, { baseUrl, demoPort }: PlatformSettings): string =>
  JSON.stringify({ ...document, servers: [{ url: baseUrl }] }).replaceAll(DEMO_REDIRECT_URI, demoRedirectUri(demoPort));
