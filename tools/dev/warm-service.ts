/**
 * A process of `npm run start:dev` that stands ready: it has loaded the packages, which take most of the time of a start, and loads the
 * service when the parent sends a message. It answers `started` when the service takes requests.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

const begin = once(process, 'message');
const { dependencies } = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', ROOT)), 'utf8')) as { dependencies: object };
// A package without an entry of its own is loaded when the service asks for a part of it.
for (const name of Object.keys(dependencies)) await import(name).catch(() => undefined);
await begin;
await import(new URL('dist/apps/standalone/src/main.js', ROOT).href);
process.send?.('started');
process.disconnect();
