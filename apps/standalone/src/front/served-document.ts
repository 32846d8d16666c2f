import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PlatformSettings } from '#service/config';
import { packageRoot } from '#web-page';

import { DEMO_REDIRECT_URI, demoRedirectUri } from '../demo-redirect-uri.js';

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string }[];
}

/** The text of the OpenAPI document, `docs/openapi.json`, without the operations that this service does not serve. */
export const servedDocument = ({ sandbox, baseUrl, demoPort }: PlatformSettings): string => {
  const document = JSON.parse(readFileSync(join(packageRoot(), 'docs', 'openapi.json'), 'utf8')) as Document;
  const paths = Object.entries(document.paths).filter(([path]) => sandbox || !path.startsWith('/sandbox/'));
  const tags = document.tags.filter(({ name }) => sandbox || name !== 'Sandbox');
  const text = JSON.stringify({ ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths), tags });
  return text.replaceAll(DEMO_REDIRECT_URI, demoRedirectUri(demoPort));
};
