import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CATEGORIES } from './find-named-keys.js';

it('the search for keys reads every category of streams that docs/events.md lists', async () => {
  const document = await readFile(join(import.meta.dirname, '../../../../docs/events.md'), 'utf8');
  const listed = [...document.matchAll(/^\| (`[a-z]+-.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]+)-/g)].map(([, name]) => name),
  );
  // The events of a session have a chapter of their own.
  expect([...new Set([...listed, 'session'])].toSorted()).toEqual([...CATEGORIES].toSorted());
});
