import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AnchoredStore } from '#testkit/transparency-log/anchored-store';
import { ServiceUnavailable, sha256Base64url } from '#kernel';

import { HistoryGuard } from './history-guard.js';
import { STAMP_INTERVAL, StampWriter } from './stamp-writer.js';
import { type Stamper, StampRefused } from './stamper.js';

const signal = new AbortController().signal;
const MINUTE = 60_000;

/** An authority whose tokens are the time and the hash of the bytes, in clear. */
const authorityOf = (anchored: AnchoredStore): Stamper & { asked: number; isAway: boolean } => ({
  asked: 0,
  isAway: false,
  async stamp(bytes) {
    this.asked += 1;
    if (this.isAway) throw new ServiceUnavailable('the authority is away');
    return Buffer.from(`${anchored.clock.now()} ${sha256Base64url(bytes.toString())}`);
  },
  timeOf(token, bytes) {
    const [time, hash] = token.toString().split(' ');
    if (hash !== sha256Base64url(bytes.toString())) throw new StampRefused('the time-stamp is over something else');
    return Number(time);
  },
});

describe('the time-stamps of checkpoints', () => {
  let anchored: AnchoredStore;
  let authority: ReturnType<typeof authorityOf>;
  let told: string[];
  const others: AnchoredStore[] = [];
  beforeEach(() => {
    anchored = new AnchoredStore();
    authority = authorityOf(anchored);
    told = [];
  });
  afterEach(async () => {
    for (const one of [anchored, ...others.splice(0)]) {
      await one.sqlite.close();
      one[Symbol.dispose]();
    }
  });

  const writer = (): StampWriter =>
    new StampWriter({
      logs: anchored.logs(),
      stamper: { stamp: (bytes) => authority.stamp(bytes), timeOf: (token, bytes) => authority.timeOf(token, bytes) },
      clock: anchored.clock,
      stamped: (size) => told.push(`${size}`),
      failed: (reason) => told.push(reason),
    });
  const publish = async (leaves: number, of = anchored): Promise<void> => {
    await of.append('right', 'a', Array<string>(leaves).fill('GuardedGrant'));
    await of.writer().write(signal);
  };
  const folder = (of = anchored): string => join(of.folders[0]!, 'timestamps');
  /** What a process finds that begins over the store. */
  const compared = async (of = anchored): Promise<{ readonly loss: string | undefined; readonly unavailable: readonly string[] }> => {
    const unavailable: string[] = [];
    const guard = new HistoryGuard({
      store: of.store,
      logs: of.logs(),
      truncatedBefore: () => [],
      heads: [],
      lost: () => undefined,
      unavailable: (place, reason) => unavailable.push(`${place}: ${reason}`),
      pause: async () => undefined,
      stamper: authority,
    });
    await guard.look();
    return { loss: guard.loss?.reason, unavailable };
  };

  it('are made once an hour at most, of what has grown since, and are all kept', async () => {
    const stamps = writer();
    await stamps.write();
    expect(authority.asked).toBe(0);
    await publish(1);
    for (let minute = 0; minute < 59; minute++) {
      anchored.clock.advance(MINUTE);
      await stamps.write();
      await publish(1);
    }
    expect([authority.asked, told]).toEqual([1, ['1']]);
    anchored.clock.advance(2 * MINUTE);
    await stamps.write();
    anchored.clock.advance(STAMP_INTERVAL);
    await stamps.write();
    expect([authority.asked, told]).toEqual([2, ['1', '60']]);
    expect(readdirSync(folder()).toSorted()).toEqual(['1.note', '1.tst', '60.note', '60.tst', 'newest']);
    expect(await compared()).toEqual({ loss: undefined, unavailable: [] });
  });

  it('go on where another process has stopped, and begin anew after one that proves nothing', async () => {
    await publish(1);
    await writer().write();
    anchored.clock.advance(STAMP_INTERVAL - 1);
    await publish(1);
    await writer().write();
    expect(told).toEqual(['1']);
    anchored.clock.advance(1);
    await writer().write();
    expect(told).toEqual(['1', '2']);
    writeFileSync(join(folder(), '2.tst'), '0 forged');
    await publish(1);
    await writer().write();
    expect(told).toEqual(['1', '2', '3']);
  });

  it('wait a minute after a failure of the authority or of the place', async () => {
    const stamps = writer();
    await publish(1);
    authority.isAway = true;
    await stamps.write();
    anchored.clock.advance(MINUTE - 1);
    await stamps.write();
    expect([authority.asked, told]).toEqual([1, ['the authority is away']]);
    anchored.clock.advance(1);
    authority.isAway = false;
    await stamps.write();
    expect([authority.asked, told]).toEqual([2, ['the authority is away', '1']]);
    rmSync(anchored.folders[0]!, { recursive: true });
    anchored.clock.advance(STAMP_INTERVAL);
    await stamps.write();
    expect(told.at(-1)).toBe('place 0: ENOENT');
  });

  it('show that the history was written anew with the keys of the service', async () => {
    await publish(3);
    await writer().write();
    const forged = new AnchoredStore();
    others.push(forged);
    await publish(3, forged);
    cpSync(folder(), folder(forged), { recursive: true });
    expect((await compared(forged)).loss).toMatch(/^a checkpoint of 3 leaves was time-stamped at 20.*Z, and the leaves have another root/);
  });

  it('show that leaves were taken away at the place, and from the store with them', async () => {
    await publish(3);
    await writer().write();
    const shorter = new AnchoredStore();
    others.push(shorter);
    await publish(2, shorter);
    cpSync(folder(), folder(shorter), { recursive: true });
    expect((await compared(shorter)).loss).toMatch(/^a checkpoint of 3 leaves was .* and the newest one at place 0 has 2: it was lost there$/);
  });

  it.each([
    ['of other bytes', '1.tst', '0 forged', 'the time-stamp is over something else'],
    ['of a note that nobody has signed', '1.note', 'countersign/test\n1\n', 'the text is no signed note'],
    ['without a number', 'newest', 'one', 'timestamps/newest has no number of leaves'],
    ['that are missing', 'newest', '7\n', 'the time-stamped checkpoint of 7 leaves is missing'],
  ])('%s are an alarm about the place, and no loss', async (_, file, content, reason) => {
    await publish(1);
    await writer().write();
    writeFileSync(join(folder(), file), content);
    expect(await compared()).toEqual({ loss: undefined, unavailable: [`place 0: ${reason}`] });
    expect(readFileSync(join(anchored.folders[0]!, 'checkpoint'), 'utf8').split('\n')[1]).toBe('1');
  });
});
