import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { buildSpringSecurity } from '#testkit/programs/spring-security/build';
import { reservePorts } from '#testkit/processes/reserve-port';

import { runDirectory } from '../support/index.js';
import { ForeignProgram, recipeOf } from './support/index.js';

describe('Spring Security in an application of Spring Boot', () => {
  it('logs in with the settings of the portal', async () => {
    const [port] = (await reservePorts(1)) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const { settings, issuer, shop, person } = await recipeOf('Spring Security', origin, { terms: { require_pkce: false } });
    const folder = join(runDirectory(), 'spring-security');
    await mkdir(folder);
    await writeFile(join(folder, 'application.yaml'), settings);
    await using _application = await ForeignProgram.start({
      command: ['java', '-jar', buildSpringSecurity(), `--spring.config.additional-location=file:${folder}/`, `--server.port=${port}`],
      env: { COUNTERSIGN_SECRET: shop.clientSecret },
      ready: `${origin}/login`,
    });

    const { status, text } = await person().open(`${origin}/account`);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      expect.objectContaining({ iss: issuer, aud: [shop.clientId], sub: expect.stringMatching(/^[0-9a-f-]{36}$/), name: expect.any(String) }),
    ]);
  });
});
