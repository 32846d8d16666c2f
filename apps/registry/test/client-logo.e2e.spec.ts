import { testPlatform } from '#testkit/platform/test-platform';
import { PictureDecoder } from '#domain/relying-party';

import { chunk, header, picture, pixels, pngOf } from '#testkit/relying-party/pictures';
import { registryFixture } from './registry.fixture.js';

const small = header(64, 64);
const large = header(30_000, 30_000);
const base64 = (png: Buffer): string => png.toString('base64');

describe('PUT logo', () => {
  it('takes a picture', async () => {
    const registry = await registryFixture();
    const clientId = await registry.client();
    const answer = await registry.call('PUT', `/clients/${clientId}/logo`, { image: base64(picture(64, 64)) });
    expect(answer).toMatchObject({ status: 200, body: { shown: { width: 64, height: 64 } } });
    await registry.close();
  });

  it.each([
    ['says to be of 30,000 × 30,000 pixels', pngOf(large, pixels(1, 1))],
    ['has a second header', pngOf(small, large, pixels(1, 1))],
    ['has fewer pixels than its header says, in whose place a decoder may show what else lay in its memory', pngOf(small, pixels(1, 1))],
    ['has more pixels than its header says', pngOf(small, pixels(30_000, 800))],
    ['has a wrong checksum', pngOf(small, Buffer.from(chunk('IDAT').with(9, 1)))],
  ])('refuses a picture that %s, and names the field', async (_, png) => {
    const registry = await registryFixture();
    const clientId = await registry.client();
    const answer = await registry.call('PUT', `/clients/${clientId}/logo`, { image: base64(png) });
    expect(answer).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    expect(answer.body['defaultTranslation']).toContain('`image`');
    expect(await registry.events('clientlogo', clientId)).toEqual([]);
    await registry.close();
  });

  it('asks to repeat the request later when too many pictures wait', async () => {
    const registry = await registryFixture(await testPlatform({}, { pictureDecoder: new PictureDecoder({ queue: { waiting: 1 } }) }));
    const clientIds = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => registry.client({ name })));
    const answers = await Promise.all(
      clientIds.map((clientId) => registry.call('PUT', `/clients/${clientId}/logo`, { image: base64(picture(64, 64)) })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 503, 503]);
    for (const { body, headers } of answers.filter(({ status }) => status === 503)) {
      expect(body).toMatchObject({ errorCode: 'service_unavailable' });
      expect(headers['retry-after']).toBe('2');
    }
    await registry.close();
  });
});
