import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const text = readFileSync(join(ROOT, 'docs/security/asvs.md'), 'utf8');
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) ([^|]+) \| ([^|]+) \| [^|]+ \| (.+) \|$/gm)].map(
  ([, id = '', words = '', state = '', reason = '']) => ({
    id,
    words,
    state,
    reason,
  }),
);

/** OWASP ASVS 5.0.0: how many requirements each section has, of all three levels. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 10, '1.3': 12, '1.4': 3, '1.5': 3, '2.1': 3, '2.2': 3, '2.3': 5, '2.4': 2, '3.1': 1, '3.2': 3, '3.3': 5, '3.4': 8, '3.5': 8 },
  ...{ '3.6': 1, '3.7': 5, '4.1': 5, '4.2': 5, '4.3': 2, '4.4': 4, '5.1': 1, '5.2': 6, '5.3': 3, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6 },
  ...{ '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2, '8.1': 4, '8.2': 4, '8.3': 3, '8.4': 2 },
  ...{
    '9.1': 3,
    '9.2': 4,
    '10.1': 2,
    '10.2': 3,
    '10.3': 5,
    '10.4': 16,
    '10.5': 5,
    '10.6': 2,
    '10.7': 3,
    '11.1': 4,
    '11.2': 5,
    '11.3': 5,
    '11.4': 4,
    '11.5': 2,
  },
  ...{
    '11.6': 2,
    '11.7': 2,
    '12.1': 5,
    '12.2': 2,
    '12.3': 5,
    '13.1': 4,
    '13.2': 6,
    '13.3': 4,
    '13.4': 7,
    '14.1': 2,
    '14.2': 8,
    '14.3': 3,
    '15.1': 5,
    '15.2': 5,
  },
  ...{ '15.3': 7, '15.4': 4, '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 4, '17.1': 2, '17.2': 8, '17.3': 2 },
};

describe('docs/security/asvs.md', () => {
  it('has each requirement of the three levels once, in order', () => {
    const wanted = Object.entries(SECTIONS).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`));
    expect(wanted).toHaveLength(345);
    expect(rows.map(({ id }) => id)).toEqual(wanted);
  });

  it('gives each a state, and a gap its words', () => {
    expect(rows.filter(({ state }) => !/^(met|operator|partly|gap|–)$/.test(state))).toEqual([]);
    expect(rows.filter(({ state, reason }) => state === 'partly' && !reason.includes('gap:'))).toEqual([]);
    expect(rows.filter(({ reason }) => reason.length < 4)).toEqual([]);
  });

  it('names files that exist', () => {
    const named = [...text.matchAll(/`((?:apps|libs|test|tools|deploy|docs|lab|testkit)\/[\w./-]+|\.dockerignore|[\w-]+\.(?:js|yml|json))`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
