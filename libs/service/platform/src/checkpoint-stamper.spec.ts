import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { type Stamper, StampRefused } from '#engines/transparency-log';
import { ServiceUnavailable } from '#kernel';
import { answerTimeStamp } from '#signatures/pki';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { startPeer } from '#testkit/pki/peer';

import { openCheckpointStamper } from './checkpoint-stamper.js';

const NOTE = Buffer.from('countersign/test\n1\nroot\n\n— countersign/test signature\n');

describe('the time-stamps of checkpoints', () => {
  let kit: DevelopmentKit;
  let directory: string;
  let roots: string;
  beforeAll(async () => {
    kit = await developmentKit();
    directory = await mkdtemp(join(tmpdir(), 'stamps-'));
    roots = join(directory, 'roots.pem');
    await writeFile(roots, kit.root.pem);
  });
  afterAll(() => rm(directory, { recursive: true }));

  const opened = (settings: Record<string, string>, pki: DevelopmentKit['pki'] | undefined = undefined): Promise<Stamper | undefined> =>
    openCheckpointStamper({
      settings: loadPlatformSettings({ ANCHOR_DIR: directory, ...settings }),
      pki,
      clock: kit.clock,
      randomness: kit.randomness,
    });
  const authority = () =>
    startPeer((body) => ({
      type: 'application/timestamp-reply',
      body: answerTimeStamp(body, { unit: kit.pki.timestamping, now: kit.clock.now(), randomness: kit.randomness }),
    }));

  it('are asked for by a setting alone', async () => {
    expect(await opened({}, kit.pki)).toBeUndefined();
    expect(await opened({ ANCHOR_TIMESTAMPS: 'true' }, kit.pki)).toBeDefined();
  });

  it('are those of the authority of the settings, prove the time of these bytes and of no others, and OpenSSL verifies them', async () => {
    await using peer = await authority();
    const stamper = await opened({ ANCHOR_TIMESTAMPS: 'true', TSA_URLS: peer.url, TRUST_ANCHORS: roots });
    const token = await stamper!.stamp(NOTE);
    expect([peer.asked(), stamper!.timeOf(token, NOTE)]).toEqual([1, kit.clock.now()]);
    expect(() => stamper!.timeOf(token, Buffer.from(NOTE.toString().replace('1', '2')))).toThrow(StampRefused);
    expect(() => stamper!.timeOf(Buffer.from('forged'), NOTE)).toThrow(StampRefused);

    const [note, file] = [join(directory, '1.note'), join(directory, '1.tst')];
    await writeFile(note, NOTE);
    await writeFile(file, token);
    const at = String(Math.floor(kit.clock.now() / 1_000) + 1);
    const said = execFileSync('openssl', ['ts', '-verify', '-data', note, '-in', file, '-token_in', '-CAfile', roots, '-attime', at], {
      stdio: 'pipe',
    });
    expect(said.toString()).toContain('Verification: OK');
  });

  it('of an authority without trust, or of none that answers, are none', async () => {
    await using peer = await authority();
    const others = join(directory, 'others.pem');
    await writeFile(others, (await developmentKit()).root.pem);
    const untrusting = await opened({ ANCHOR_TIMESTAMPS: 'true', TSA_URLS: peer.url, TRUST_ANCHORS: others });
    await expect(untrusting!.stamp(NOTE)).rejects.toThrow(ServiceUnavailable);
    const trusting = await opened({ ANCHOR_TIMESTAMPS: 'true' }, kit.pki);
    const token = await trusting!.stamp(NOTE);
    expect(() => untrusting!.timeOf(token, NOTE)).toThrow(StampRefused);
    expect(trusting!.timeOf(token, NOTE)).toBe(kit.clock.now());
  });
});
