import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { picture } from '#testkit/relying-party/pictures';
import { PictureDecoder } from './picture-decoder.js';
import { judgePng } from './png-chunks.js';

const judged = judgePng(picture(64, 64));

let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'picture-decoder-')));
});
afterAll(() => rm(directory, { recursive: true }));

/** A program in place of the decoder. */
const program = async (source: string) => {
  const path = join(directory, 'program.mjs');
  await writeFile(path, source);
  return { path, reads: [] };
};
const HANGS = 'for (;;);';
/** Answers the number of its process in place of a picture. */
const ECHOES = `process.stdin.on('data', () => {
  const text = String(process.pid);
  process.stdout.write(Buffer.concat([Buffer.of(0, 0, 0, 1 + text.length, 0), Buffer.from(text)]));
});`;

describe('the decoder of pictures', () => {
  it('refuses a picture whose decoding hangs, names the field, and decodes the next one', async () => {
    // The limit has to be enough for the start of a child on a busy machine.
    const hangs = `process.stdin.on('data', (bytes) => { if (bytes.includes('hang')) for (;;); }); ${ECHOES}`;
    const decoder = new PictureDecoder({ program: await program(hangs), child: { time: 4_000 } });
    const refusal = { code: 'invalid_request', detail: '`image` takes too much time or memory to decode.', reason: 'the decoder was killed: time' };
    await expect(decoder.reencode({ ...judged, png: Buffer.from('hang') })).rejects.toMatchObject(refusal);
    expect((await decoder.reencode(judged)).toString()).toMatch(/^\d+$/);
    await decoder.close();
  });

  it('has one child, keeps a bounded number of pictures waiting, and refuses the others at once', async () => {
    const decoder = new PictureDecoder({ program: await program(ECHOES), queue: { patience: 120_000, waiting: 4 } });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => decoder.reencode(judged)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(new Set(outcomes.slice(0, 5).map((outcome) => 'value' in outcome && outcome.value.toString())).size).toBe(1);
    const refusal = { status: 'rejected', reason: { code: 'service_unavailable', reason: 'pictures to decode: 4 wait already' } };
    for (const outcome of outcomes.slice(5)) expect(outcome).toMatchObject(refusal);
    await decoder.close();
  });

  it('takes a new child after many pictures, and after one that died while it waited', async () => {
    const decoder = new PictureDecoder({ program: await program(ECHOES) });
    const pids: number[] = [];
    for (let pictures = 0; pictures < 33; pictures++) pids.push(Number(await decoder.reencode(judged)));
    expect(new Set(pids).size).toBe(2);
    expect(pids[31]).toBe(pids[0]);
    process.kill(pids[32]!, 'SIGKILL');
    expect(pids).not.toContain(Number(await decoder.reencode(judged)));
    await decoder.close();
  });

  it('asks a new child once more, when one that decoded other pictures ends', async () => {
    // The second picture of each child ends it; the third try would be one too many.
    const breaks = `let pictures = 0; process.stdin.on('data', () => (pictures++ ? process.kill(process.pid, 'SIGKILL') : process.stdout.write(Buffer.of(0, 0, 0, 1, 0))));`;
    const decoder = new PictureDecoder({ program: await program(breaks) });
    for (let pictures = 0; pictures < 4; pictures++) expect(await decoder.reencode(judged)).toEqual(Buffer.of());
    await decoder.close();
    const hostile = new PictureDecoder({ program: await program(`process.stdin.on('data', () => process.kill(process.pid, 'SIGKILL'))`) });
    await expect(hostile.reencode(judged)).rejects.toMatchObject({ code: 'invalid_request', reason: 'the decoder was killed: signal' });
  });

  it('says that the service is at fault when the program is missing or breaks', async () => {
    const broken = new PictureDecoder({ program: await program('process.exit(9)') });
    await expect(broken.reencode(judged)).rejects.toMatchObject({ code: 'service_unavailable', reason: 'the decoder of pictures ended with 9' });
    const missing = new PictureDecoder({ program: { path: join(directory, 'missing.mjs'), reads: [] } });
    await expect(missing.reencode(judged)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('kills its child and refuses what waits when it is closed', async () => {
    const decoder = new PictureDecoder({ program: await program(HANGS) });
    const refused = expect(Promise.allSettled([decoder.reencode(judged), decoder.reencode(judged)])).resolves.toMatchObject([
      { reason: { code: 'service_unavailable', reason: 'pictures to decode: the process stops' } },
      { reason: { code: 'service_unavailable', reason: 'pictures to decode: the process stops' } },
    ]);
    await decoder.close();
    await refused;
    await expect(decoder.reencode(judged)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
