import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { AUTHLIB, AUTHLIB_APPLICATION } from '#testkit/programs/authlib/build';
import { reservePorts } from '#testkit/processes/reserve-port';

import { runDirectory } from '../support/index.js';
import { ForeignProgram, recipeOf } from './support/index.js';

describe('Authlib in an application of Flask', () => {
  it('logs in with the settings of the portal', async () => {
    const [port] = (await reservePorts(1)) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const { settings, issuer, shop, person } = await recipeOf('Authlib', origin);
    const file = join(runDirectory(), 'authlib.py');
    await writeFile(file, settings);
    await using _application = await ForeignProgram.start({
      command: [AUTHLIB, AUTHLIB_APPLICATION, String(port), file],
      env: { COUNTERSIGN_SECRET: shop.clientSecret },
      ready: origin,
    });

    const { address, text } = await person().open(`${origin}/login`);
    const { id_token: claims, userinfo } = JSON.parse(text) as Record<string, Record<string, unknown>>;
    expect([address.href, claims]).toEqual([`${origin}/`, expect.objectContaining({ iss: issuer, aud: shop.clientId, name: expect.any(String) })]);
    expect(userinfo).toMatchObject({ sub: claims!['sub'], name: claims!['name'] });
    expect(JSON.parse((await person().open(origin)).text)).toBeNull();
  });
});
