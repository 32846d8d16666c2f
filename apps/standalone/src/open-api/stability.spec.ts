import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { type ErrorCode, errorCatalogue } from '#service/http';

interface Operation {
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const { info, paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const RETIRED: ErrorCode = 'endpoint_retired';
const LEGACY = '/relying-party/v1/create-signing-request';
const text = info.description.replaceAll(/\s+/g, ' ');

describe('what the reference promises', () => {
  it('is said at its head: unstable, may change without notice', () => {
    expect(text).toContain('The service is unstable: its endpoints and payloads may change without notice.');
  });

  it('names both ways to integrate as permanent', () => {
    expect(text).toMatch(/Both ways to integrate are permanent: a waiting page of your own .* and the hosted login page/);
  });

  it('names the retired signature as gone with 410 where it is switched off, and the earlier hosted flow as absent', () => {
    expect(text).toContain(`(\`POST ${LEGACY}\`) is being retired; where it is switched off it is gone, 410 \`${RETIRED}\`.`);
    expect(text).toMatch(/The earlier hosted flow, .* does not exist here\./);
  });

  it('marks the retired operation, and no other, as deprecated, with its 410', () => {
    const deprecated = Object.entries(paths).filter(([, path]) => Object.values(path).some((operation) => operation.deprecated));
    expect(deprecated.map(([path]) => path)).toEqual([LEGACY]);
    const { description, responses } = paths[LEGACY]!['post']!;
    expect(description).toContain(`410 \`${RETIRED}\``);
    expect(responses[errorCatalogue[RETIRED].status]?.description).toContain(RETIRED);
  });
});
